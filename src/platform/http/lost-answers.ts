import type { Log } from '#platform/log'

// How Node says that the other side has hung up.
const hungUp = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECANCELED',
  'ERR_STREAM_PREMATURE_CLOSE',
  'HPE_INVALID_EOF_STATE',
])

/** Hears of answers that could not be sent whole: on bad networks an everyday matter, unless the fault is ours. */
export const lostAnswers =
  (log: Log) =>
  (err: NodeJS.ErrnoException): void => {
    const { code } = err
    if (code !== undefined && hungUp.has(code)) log.debug({ code }, 'the caller hung up')
    else log.error({ err }, 'an answer could not be sent')
  }
