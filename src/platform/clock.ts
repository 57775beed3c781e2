/** The one clock: everything that asks "what time is it" is given this function. */
export type Now = () => Date
