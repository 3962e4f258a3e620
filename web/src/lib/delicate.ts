import { createContext, useContext } from 'react';

/** Does something delicate, after the person has proved who they are where the server asks for it. */
export type Delicate = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** The person did not want to prove who they are: nothing happened, and nothing needs to be said. */
export class GivenUp extends Error {}

export const DelicateContext = createContext<Delicate>((work) => work());

/** From the `Reauthentication` around the page. */
export const useDelicate = (): Delicate => useContext(DelicateContext);
