// Tests open databases of their own: on Node 24 their handles must be kept, too.
import "../../src/store/sqlite.ts";
