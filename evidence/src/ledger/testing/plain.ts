import fc from 'fast-check';
import { anyCharacter } from '../../../../scripts/properties.ts';
import type { CanonicalValue } from '../canonical.ts';

/** Arbitrary values that an entry can contain. */
export const plain: fc.Arbitrary<CanonicalValue> = fc.letrec<{ value: CanonicalValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
    fc.string({ unit: anyCharacter }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string({ unit: anyCharacter, maxLength: 5 }), tie('value'), { maxKeys: 4 }),
  ),
})).value;
