import { expect, test } from 'vitest';
import { signatureKeyOf } from './signature-key.ts';

// Made with ssh-keygen 9.6 and GnuPG 2.4 over the same five bytes.
const ssh = `-----BEGIN SSH SIGNATURE-----
U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAghn3Rdrkb60TDFhCdiseGPyhEyQ
mMOxdiFhheDCCQ/+MAAAADZ2l0AAAAAAAAAAZzaGE1MTIAAABTAAAAC3NzaC1lZDI1NTE5
AAAAQKJoKDZ3wO3u7Kglh8hGbeoFM/zEMadQ92i6fYp3vQcSab24/6l84/f1Oxjl1Gx8x/
7ejI+KmUmR/brvMOnMVgw=
-----END SSH SIGNATURE-----
`;
const pgp = `-----BEGIN PGP SIGNATURE-----

iHUEABYIAB0WIQT0CVtrAY3bcHqItYzn4balkS7rNAUCawwfVQAKCRDn4balkS7r
NH2RAP9BS+v+b0NDTiFXO8cj7FlBimG8/jT2bHjmZe8yMos6agD/XEjhBBXUNY3P
CRBq6YVfS2WJdDze9Z7Y9eXx5WqrNws=
=/2Eb
-----END PGP SIGNATURE-----
`;

test('reads the key of an SSH signature, whose fingerprint OpenSSH prints', () => {
  const key = signatureKeyOf(ssh);
  expect(key).toBe('ssh:c4c62a63d045c574bf9365641b4e19f38e349e5d10ce7bee31bebd4ba80b6c29');
  const fingerprint = Buffer.from(key?.slice(4) ?? '', 'hex').toString('base64');
  expect(fingerprint).toBe('xMYqY9BFxXS/k2VkG04Z8440nl0QznvuMb69S6gLbCk=');
});

test('reads the ID of the key of a PGP signature, with headers and carriage returns', () => {
  expect(signatureKeyOf(pgp)).toBe('pgp:e7e1b6a5912eeb34');
  const withHeader = pgp.replace('-----\n\n', '-----\nVersion: GnuPG v2\n\n').replaceAll('\n', '\r\n');
  expect(signatureKeyOf(withHeader)).toBe('pgp:e7e1b6a5912eeb34');
});

test('reads no key from certificates, other texts and truncated signatures', () => {
  const lines = (text: string) => text.split('\n');
  expect(signatureKeyOf('-----BEGIN SIGNED MESSAGE-----\nMIIE\n-----END SIGNED MESSAGE-----\n')).toBeUndefined();
  expect(signatureKeyOf('web-flow')).toBeUndefined();
  expect(signatureKeyOf([lines(ssh)[0], 'U1NIU0lHAAAAAQAAADMAAAAL', lines(ssh)[5]].join('\n'))).toBeUndefined();
  expect(signatureKeyOf([lines(pgp)[0], '', 'iHUEABYI', lines(pgp)[6]].join('\n'))).toBeUndefined();
});
