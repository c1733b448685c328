// usage.cts - the same types from CommonJS.
import hashcore = require('hashcore');

const digest: string = hashcore.createHash('sha256').update('abc').digest('hex');
const list: string[] = hashcore.hashMany('blake3', ['a', 'b'], { outputEncoding: 'hex' });
const equal: boolean = hashcore.equal(Buffer.from(digest), Buffer.from(list[0]));
export = equal;
