import type { IncomingHttpHeaders } from 'node:http'
import { dpoProvider } from '../../src/modules/payments/providers/dpo'
import {
  insideOf,
  readXml,
  textOf,
  writeXml,
  type XmlElements,
} from '../../src/modules/payments/providers/dpo-wire'
import type { TokenRequest } from '../../src/modules/payments/providers/provider'
import { sandboxProvider } from '../../src/sandbox/sandbox'
import { request, plainProvider } from '../payments/providers/facing'
import { heardLog } from '../support/captured-log'
import { exchange } from '../support/http-exchange'
import type { TestDatabase } from '../support/postgres'
import { serveSandbox } from './server'

/** The sandbox on a real database, the adapter that runs against it, and the shop that hears its pushes. */
export const openShop = async ({ database }: TestDatabase, schoolName = 'Lusaka Test School') => {
  let at = new Date('2026-09-16T05:00:00Z')
  const now = () => at
  const answers = { push: 'OK', status: 200, silent: false }
  const shop = await plainProvider((response) => {
    if (answers.silent) return
    response.statusCode = answers.status
    response.end(answers.push)
  })
  const log = heardLog()
  let url = ''
  const sandbox = sandboxProvider({
    database,
    now,
    log,
    schoolName,
    publicUrl: () => url,
    pushUrl: () => `${shop.url}/api/payments/push/secret`,
    slowBankMs: 90_000,
  })
  const server = await serveSandbox(sandbox.routes, log)
  url = server.url
  const provider = dpoProvider(sandbox.config, { now, zone: 'Africa/Lusaka' })
  const post = (path: string, body: string, headers: Record<string, string> = { 'user-agent': 'test' }) =>
    exchange(url, path, { method: 'POST', body, headers })
  const ask = (name: string, fields: Record<string, string>, version: 'v6' | 'v7' = 'v6') =>
    post(
      `/sandbox/api/${version}/`,
      writeXml('API3G', { CompanyToken: sandbox.config.companyToken, Request: name, ...fields }),
    )
  const phonePage = (number = airtel.PhoneNumber) => exchange(url, `/sandbox/phone/${number}`)
  const verified = (token: string, version: 'v6' | 'v7' = 'v7') =>
    ask('verifyToken', { TransactionToken: token, VerifyTransaction: '0' }, version)
  return {
    url,
    provider,
    config: sandbox.config,
    log,
    /** What the shop was pushed, and how it answers. */
    pushed: shop.asked,
    answers,
    later: (ms: number) => void (at = new Date(at.getTime() + ms)),
    sweep: () => sandbox.sweeps[0]!.run(),
    /** A token for a payment like the usual one but for these changes. */
    token: async (changes: Partial<TokenRequest> = {}) => {
      const created = await provider.createToken({ ...request, ...changes })
      if (created.kind !== 'created') throw new Error(JSON.stringify(created))
      return created
    },
    /** Whether a prompt of this token waits on the phone. */
    waits: async (token: string, number?: string) => (await phonePage(number)).text.includes(token),
    verified,
    /** Code and explanation of verifyToken. */
    told: async (token: string) => {
      const answer = await verified(token)
      return [element(answer, 'Result'), element(answer, 'ResultExplanation')]
    },
    verify: (token: string) => provider.verify(token, { acknowledge: false }),
    page: (token: string) => exchange(url, `/sandbox/pay?ID=${encodeURIComponent(token)}`),
    leave: (token: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
      exchange(url, `/sandbox/pay/${token}`, {
        method: 'POST',
        body: new URLSearchParams(form).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      }),
    /** XML as somebody else than our adapter would send it. */
    post,
    /** A request of version 6 with our credential and these fields. */
    ask,
    options: (token: string) => ask('GetMobilePaymentOptions', { TransactionToken: token }),
    charge: (token: string, changes: Record<string, string> = {}) =>
      ask('ChargeTokenMobile', { TransactionToken: token, ...airtel, ...changes }),
    phone: phonePage,
    /** Answers a prompt of this phone: `<token>.1` is the first of its token. */
    answer: (
      choice: string,
      prompt: string,
      number = airtel.PhoneNumber,
      more: Record<string, string> = {},
    ) =>
      exchange(url, `/sandbox/phone/${number}`, {
        method: 'POST',
        body: new URLSearchParams({ choice, prompt, ...more }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    close: async () => {
      await sandbox.close()
      await server.close()
      await shop.close()
    },
  }
}

export type Shop = Awaited<ReturnType<typeof openShop>>

const airtel = { PhoneNumber: '260977123456', MNO: 'AirtelZM', MNOcountry: 'zambia' }

/** The text of an element of an answer; null for none or several. */
export const element = (answer: { text: string }, name: string): string | null => {
  const read = readXml(answer.text)
  const inside = read.kind === 'read' ? insideOf(read.elements, 'API3G') : null
  return inside && textOf(inside, name)
}

/** What `told` answers of an open token. */
export const notPaid = ['900', 'Transaction not paid yet']

/** The fields of every option in an answer. */
export const optionsIn = ({ text }: { text: string }): XmlElements[] => {
  const read = readXml(text)
  const root = read.kind === 'read' ? insideOf(read.elements, 'API3G') : null
  const list = root && insideOf(root, 'paymentoptions')
  const options = list?.mobileoption ?? []
  return (Array.isArray(options) ? options : [options]) as XmlElements[]
}

/** The parameters of the address that an answer sends the browser to. */
export const sentTo = ({ headers }: { headers: IncomingHttpHeaders }) => {
  const address = new URL(headers.location!)
  return { where: address.origin + address.pathname, ...Object.fromEntries(address.searchParams) }
}
