type Say = (details: object, message: string) => void

/** Structured log as in pino: `log.warn({ jobId }, 'text')`. `child` repeats its bindings. No secrets or personal data. */
export type Log = { debug: Say; info: Say; warn: Say; error: Say; child: (bindings: object) => Log }
