/** Whether this is the nightly tier: what is rare has come up by then. */
export const allTried = process.env.TRIES === 'all'

/** How often a property is tried: `all` times in the nightly tier, else a tenth of that. */
export const tries = (all: number): number => (allTried ? all : Math.ceil(all / 10))
