export interface DoctorCheck {
  name: string;
  state: 'ok' | 'warn' | 'fail';
  message: string;
  /** The recommended action. */
  advice?: string;
}

export const passedCheck = (name: string, message: string): DoctorCheck => ({ name, state: 'ok', message });
export const warningCheck = (name: string, message: string, advice?: string): DoctorCheck =>
  withAdvice(name, 'warn', message, advice);
export const failedCheck = (name: string, message: string, advice?: string): DoctorCheck =>
  withAdvice(name, 'fail', message, advice);

const withAdvice = (
  name: string,
  state: DoctorCheck['state'],
  message: string,
  advice: string | undefined,
): DoctorCheck => ({
  name,
  state,
  message,
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
