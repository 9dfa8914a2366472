import { makeTemplate } from './database-template.js';

await makeTemplate();
