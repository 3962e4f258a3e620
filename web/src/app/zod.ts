import { config } from 'zod';

// Before any schema is made: it would try whether it may make code of strings, which the content security policy refuses
// and browsers then report as a fault of the page.
config({ jitless: true });
