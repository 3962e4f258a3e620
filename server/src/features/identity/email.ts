import { domainToASCII } from 'node:url';

const local = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const domain = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;

/** An address as accounts keep it: lower case, domain in ASCII, within the lengths of RFC 5321; undefined if it is none. */
export function normalEmail(given: string): string | undefined {
  const [name = '', host = '', ...rest] = given.trim().toLowerCase().split('@');
  const ascii = domainToASCII(host);
  if (rest.length > 0 || name.length > 64 || !local.test(name) || !domain.test(ascii)) return undefined;
  const email = `${name}@${ascii}`;
  return email.length <= 254 ? email : undefined;
}
