import type { FastifyBaseLogger } from 'fastify';

/**
 * The logger of a request, with the ID of the request. Few requests log anything: `open` creates it at the first line, since
 * this costs more than the rest of a small response.
 */
export function createRequestLog(open: () => FastifyBaseLogger): FastifyBaseLogger {
  return new RequestLog(open);
}

class RequestLog {
  readonly #open: () => FastifyBaseLogger;
  #opened: FastifyBaseLogger | undefined;

  constructor(open: () => FastifyBaseLogger) {
    this.#open = open;
  }

  get #log(): FastifyBaseLogger {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  get level() {
    return this.#log.level;
  }

  child(...given: Parameters<FastifyBaseLogger['child']>) {
    return this.#log.child(...given);
  }

  fatal(...line: [unknown, ...unknown[]]) {
    this.#write('fatal', line);
  }

  error(...line: [unknown, ...unknown[]]) {
    this.#write('error', line);
  }

  warn(...line: [unknown, ...unknown[]]) {
    this.#write('warn', line);
  }

  info(...line: [unknown, ...unknown[]]) {
    this.#write('info', line);
  }

  debug(...line: [unknown, ...unknown[]]) {
    this.#write('debug', line);
  }

  trace(...line: [unknown, ...unknown[]]) {
    this.#write('trace', line);
  }

  silent(...line: [unknown, ...unknown[]]) {
    this.#write('silent', line);
  }

  #write(level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent', line: unknown[]): void {
    const log = this.#log;
    (log[level] as (...parts: unknown[]) => void).apply(log, line);
  }
}
