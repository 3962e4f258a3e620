/** '1 repository', '14 repositories'. */
export const counted = (count: number, one: string, many: string): string =>
  `${new Intl.NumberFormat('en-GB').format(count)} ${count === 1 ? one : many}`;

export const repositoriesOf = (count: number): string => counted(count, 'repository', 'repositories');
