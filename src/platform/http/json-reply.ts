import type { Context } from 'koa'

const jsonType = 'application/json; charset=utf-8'

/** Answers a value as JSON that no cache keeps; nothing at all (undefined) is an empty answer. */
export const replyJson = (context: Context, status: number, value: unknown): void =>
  replyText(context, status, JSON.stringify(value))

/** Answers what is JSON already, as text or in UTF-8. */
export const replyText = (context: Context, status: number, text: string | Buffer | undefined): void => {
  context.status = status
  context.set('Cache-Control', 'no-store')
  context.set('Content-Type', jsonType)
  context.body = text ?? null
}
