export interface DoctorCheck {
  name: string;
  state: 'ok' | 'warn' | 'fail';
  says: string;
  /** What to do about it. */
  advice?: string;
}

export const ok = (name: string, says: string): DoctorCheck => ({ name, state: 'ok', says });
export const warn = (name: string, says: string, advice?: string): DoctorCheck =>
  withAdvice(name, 'warn', says, advice);
export const fail = (name: string, says: string, advice?: string): DoctorCheck =>
  withAdvice(name, 'fail', says, advice);

const withAdvice = (
  name: string,
  state: DoctorCheck['state'],
  says: string,
  advice: string | undefined,
): DoctorCheck => ({
  name,
  state,
  says,
  ...(advice !== undefined && { advice }),
});

/** A check that could not be made has failed, and the others go on. */
export async function tried(name: string, check: () => Promise<DoctorCheck>): Promise<DoctorCheck> {
  try {
    return await check();
  } catch (error) {
    return fail(name, error instanceof Error ? error.message : String(error));
  }
}
