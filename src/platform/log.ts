type Say = (details: object, message: string) => void

/**
 * Structured logging in pino's words: `log.warn({ jobId }, 'text')`. `child` repeats its bindings on every line.
 * Secrets and personal data stay out of it.
 */
export type Log = { debug: Say; info: Say; warn: Say; error: Say; child: (bindings: object) => Log }
