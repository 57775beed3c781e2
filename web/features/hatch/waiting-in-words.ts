import { counted } from '../../lib/format'

/** "3 marks wait to be sent"; "1 mark waits to be sent". */
export const waitingInWords = (count: number): string =>
  `${counted(count, 'mark waits', 'marks wait')} to be sent`
