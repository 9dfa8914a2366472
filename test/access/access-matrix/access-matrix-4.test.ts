import { describeMatrixShard } from './matrix-shard.js';

describeMatrixShard(4);
