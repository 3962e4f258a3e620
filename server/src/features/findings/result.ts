export type { Analysis, Rejection, Result } from '#providers/scanner.ts';
