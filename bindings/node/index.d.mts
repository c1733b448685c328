// index.d.mts - the same types for import.
import * as hashcore from './index.js';

export * from './index.js';
export default hashcore;
