import type { Transfer } from './statement-month'

export type StatementFile = { layout: Transfer['layout']; name: string; bytes: Buffer }

/** How the bank's files are to be mapped; Airtel and MTN are known by their heads. */
export const bankMapping = {
  at: 'Value Date',
  in: 'Credit',
  out: 'Debit',
  payer: 'Payer',
  text: 'Description',
  transactionId: 'Bank Reference',
}

const dayMs = 86_400_000

/** The files of these transfers: one a week and layout, each with the last two days of the file before it. */
export const statementFiles = (transfers: readonly Transfer[], from: Date): StatementFile[] => {
  const last = Math.max(...transfers.map(({ at }) => +at))
  const files: StatementFile[] = []
  for (let start = +from; start <= last; start += 7 * dayMs)
    for (const layout of ['airtel', 'mtn', 'bank'] as const) {
      const within = transfers.filter(
        (one) => one.layout === layout && +one.at >= start - 2 * dayMs && +one.at < start + 7 * dayMs,
      )
      const name = `${layout}-${new Date(start).toISOString().slice(0, 10)}.csv`
      files.push({ layout, name, bytes: writers[layout](within) })
    }
  return files
}

const cell = (text: string) => (/[",;\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
const line = (cells: readonly string[], delimiter = ',') => `${cells.map(cell).join(delimiter)}\r\n`
const kwacha = (ngwee: number) => (ngwee / 100).toFixed(2)
const separated = (ngwee: number) => (ngwee / 100).toLocaleString('en', { minimumFractionDigits: 2 })

/** The school's wall clock, two hours ahead of Greenwich all year. */
const clock = (at: Date) => new Date(+at + 2 * 3_600_000).toISOString()
const dayFirst = (at: Date) => clock(at).slice(0, 10).split('-').toReversed().join('/')

const writers: Record<Transfer['layout'], (transfers: readonly Transfer[]) => Buffer> = {
  airtel: (transfers) =>
    Buffer.from(
      `\uFEFF${line(['Transaction ID', 'Transaction Date', 'Sender MSISDN', 'Sender Name', 'Service Type', 'Transaction Amount', 'Reference', 'Transaction Status'])}${transfers
        .map(({ transactionId, at, phone, payer, amount, text }) =>
          line([
            transactionId,
            `${dayFirst(at)} ${clock(at).slice(11, 19)}`,
            phone,
            payer,
            'Merchant Payment',
            kwacha(amount),
            text,
            'Transaction Success',
          ]),
        )
        .join(
          '',
        )}${line(['TX.FAILED', '01/09/2026 10:00:00', '970000000', 'Nobody', 'Merchant Payment', '45.50', 'LP-AAAAAA', 'Transaction Failed'])}`,
    ),
  mtn: (transfers) =>
    Buffer.from(
      `\uFEFF${line(['Id', 'External Transaction Id', 'Date', 'Status', 'Type', 'From', 'From name', 'To', 'To name', 'Amount', 'Currency', 'Fee', 'Currency', 'To message'])}${transfers
        .map(({ transactionId, at, phone, payer, amount, text }) =>
          line([
            transactionId,
            '',
            clock(at).slice(0, 19).replace('T', ' '),
            'Successful',
            'Payment',
            `FRI:${phone}/MSISDN`,
            payer,
            'FRI:260960000000/MSISDN',
            'School',
            kwacha(amount),
            'ZMW',
            '0',
            'ZMW',
            text,
          ]),
        )
        .join('')}`,
      'utf16le',
    ),
  bank: (transfers) =>
    Buffer.from(
      `Statement of account;;;;;;\r\nAccount;0123456789;;;;;\r\n\r\n${line(['Value Date', 'Description', 'Payer', 'Debit', 'Credit', 'Balance', 'Bank Reference'], ';')}${transfers
        .map(({ transactionId, at, payer, amount, text }) =>
          line([dayFirst(at), text, payer, '', separated(amount), '1,000.00', transactionId], ';'),
        )
        .join('')}${line(['30/09/2026', 'Bank charges', '', '55.00', '', '945.00', 'CHARGE'], ';')}`,
    ),
}
