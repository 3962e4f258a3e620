import { config } from 'zod';

// Must run before the first schema: zod would test whether it can compile code from strings, which the content security
// policy rejects and browsers report as an error.
config({ jitless: true });
