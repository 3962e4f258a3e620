/** Thrown where the server stops within a page: that is imported again. */
export class Stopped extends Error {
  override name = 'Stopped';
}
