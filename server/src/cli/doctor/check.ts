export interface DoctorCheck {
  name: string;
  state: 'ok' | 'warn' | 'fail';
  says: string;
  /** The recommended action. */
  advice?: string;
}

export const passedCheck = (name: string, says: string): DoctorCheck => ({ name, state: 'ok', says });
export const warningCheck = (name: string, says: string, advice?: string): DoctorCheck =>
  withAdvice(name, 'warn', says, advice);
export const failedCheck = (name: string, says: string, advice?: string): DoctorCheck =>
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

/** Runs a check. An error counts as a failed check, so that the others run. */
export async function runCheck(name: string, check: () => Promise<DoctorCheck>): Promise<DoctorCheck> {
  try {
    return await check();
  } catch (error) {
    return failedCheck(name, error instanceof Error ? error.message : String(error));
  }
}
