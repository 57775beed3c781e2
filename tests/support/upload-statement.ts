import type { ErrorReply, ReplyOf } from '#contracts/endpoint'
import { uploadStatement, type StatementMapping } from '#contracts/transfers'
import type { Client } from '../../src/app/demo/client'

type Sent = {
  bytes: Buffer | string
  source?: string
  mapping?: StatementMapping
  name?: string
  headers?: Record<string, string>
}

/** Sends the form with a statement; answers whatever comes back. */
export const sendStatement = async (
  client: Client,
  { bytes, source = 'airtel', mapping, name = 'statement.csv', headers = {} }: Sent,
) => {
  const form = new FormData()
  form.set('file', new File([new Uint8Array(Buffer.from(bytes))], name, { type: 'text/csv' }))
  form.set('source', source)
  if (mapping) form.set('mapping', JSON.stringify(mapping))
  const response = await client.fetch(uploadStatement.path, { method: 'POST', body: form, headers })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

/** Uploads a statement that is taken. */
export const uploaded = async (client: Client, sent: Sent): Promise<ReplyOf<typeof uploadStatement>> => {
  const { status, body } = await sendStatement(client, sent)
  if (status !== uploadStatement.status)
    throw new Error(`Answered ${status}: ${(body as ErrorReply).message}`)
  return uploadStatement.reply.parse(body)
}

/** An Airtel statement of these payments; a line is id, date, phone, payer, amount, reference, status. */
export const airtelFile = (...lines: string[]): string =>
  [
    'Transaction ID,Transaction Date,Sender MSISDN,Sender Name,Transaction Amount,Reference,Transaction Status',
    ...lines,
  ].join('\r\n')
