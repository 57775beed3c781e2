import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { makeFolder } from '#platform/folder'
import type { Sms, SmsAnswer, SmsGateway } from '#platform/ports'
import { mailFolder } from './mail'

type Options = {
  gateway: AfricasTalkingOptions | null
  production: boolean
  dataDir: string
}

/** A gateway, or files in `<dataDir>/mail/*.sms`; null in production without a gateway. */
export const openSms = ({ gateway, production, dataDir }: Options): SmsGateway | null => {
  if (gateway) return africasTalking(gateway)
  return production ? null : toFiles(mailFolder(dataDir))
}

const toFiles = (folder: string): SmsGateway => ({
  send: async ({ id, writtenAt, to, text }) => {
    await makeFolder(folder)
    const name = `${writtenAt.toISOString().replaceAll(/[-:.]/g, '')}-${id}.sms`
    const unfinished = join(folder, `${name}.part`)
    const heads = [
      `To: ${to}`,
      'Subject: SMS',
      `Date: ${writtenAt.toUTCString()}`,
      'Content-Type: text/plain; charset=utf-8',
    ]
    await writeFile(unfinished, `${heads.join('\n')}\n\n${text}\n`, { mode: 0o600 })
    await rename(unfinished, join(folder, name))
    return { kind: 'taken' }
  },
})

type AfricasTalkingOptions = {
  /** For example `https://api.africastalking.com/version1/messaging`. */
  url: string
  username: string
  apiKey: string
  from?: string | undefined
  timeoutMs?: number
}

const answerOfGateway = z.object({
  SMSMessageData: z.object({
    Message: z.string().optional(),
    Recipients: z.array(z.object({ statusCode: z.number() })),
  }),
})

const takenCodes = new Set([100, 101, 102])
/** Invalid, unsupported or blacklisted number, do not disturb. */
const refusedForGood = new Set([403, 404, 406, 409])
/** Risk hold, invalid sender, balance spent, no route. */
const refusedForNow = new Set([401, 402, 405, 407])

/** Connection failures before any byte left. */
const neverConnected =
  /^((ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$|ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/

const maxAnswerLength = 64 * 1024

/** Africa's Talking bulk call (https://developers.africastalking.com/docs/sms/sending/bulk) has no idempotency key. */
export const africasTalking = ({ timeoutMs = 10_000, ...options }: AfricasTalkingOptions): SmsGateway => ({
  send: async (sms) => {
    try {
      const response = await fetch(options.url, {
        method: 'POST',
        headers: { apiKey: options.apiKey, accept: 'application/json' },
        body: formOf(sms, options),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
      return await readAnswer(response)
    } catch (error) {
      return failed(error)
    }
  },
})

const formOf = ({ to, text }: Sms, { username, from }: Pick<AfricasTalkingOptions, 'username' | 'from'>) =>
  new URLSearchParams({ username, to, message: text, ...(from && { from }) })

const readAnswer = async (response: Response): Promise<SmsAnswer> => {
  const { status } = response
  if (status >= 400 && status < 500) {
    await response.body?.cancel()
    return { kind: 'not-taken', why: `the gateway answered ${status}`, forGood: false }
  }
  if (!response.ok) {
    await response.body?.cancel()
    return { kind: 'unclear', why: `the gateway answered ${status}` }
  }
  const text = await response.text()
  const answer = text.length <= maxAnswerLength ? answerOfGateway.safeParse(jsonOf(text)).data : undefined
  if (answer?.SMSMessageData.Recipients.length === 0) return noRecipient(answer.SMSMessageData.Message)
  return answerFor(answer?.SMSMessageData.Recipients[0]?.statusCode)
}

/** Its word is one like `InvalidSenderId`; a sentence might hold a number. */
const noRecipient = (word = ''): SmsAnswer => {
  const told = /^[A-Za-z]{1,40}$/.test(word) ? ` (${word})` : ''
  return { kind: 'not-taken', why: `the gateway took no recipient${told}`, forGood: false }
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const answerFor = (code: number | undefined): SmsAnswer => {
  if (code === undefined) return { kind: 'unclear', why: 'the answer of the gateway names no message' }
  if (takenCodes.has(code)) return { kind: 'taken' }
  const why = `the gateway refused with status ${code}`
  if (refusedForGood.has(code)) return { kind: 'not-taken', why, forGood: true }
  if (refusedForNow.has(code)) return { kind: 'not-taken', why, forGood: false }
  return { kind: 'unclear', why: `the gateway answered with status ${code}` }
}

const failed = (error: unknown): SmsAnswer => {
  const { name, cause } = error as { name?: string; cause?: { code?: unknown } }
  const code = typeof cause?.code === 'string' ? cause.code : ''
  if (neverConnected.test(code))
    return { kind: 'not-taken', why: `the gateway cannot be reached (${code})`, forGood: false, isAway: true }
  return {
    kind: 'unclear',
    why:
      name === 'TimeoutError'
        ? 'the gateway did not answer in time'
        : 'the connection broke before the answer',
  }
}
