import 'reflect-metadata';
import { makeTemplate } from './database-template.js';

await makeTemplate();
