/** The organization that no token names: deliveries of nobody's installation are kept under it. */
export const nobody = '00000000-0000-0000-0000-000000000000';
