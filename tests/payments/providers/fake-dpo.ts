import type { DpoConfig } from '../../../src/modules/payments/providers/dpo-wire'
import { pushXml, sandboxOn } from '../../../src/sandbox/sandbox'
import { scripted } from '../../../src/sandbox/script'
import {
  backAddress,
  returnAddress,
  type Ending,
  type PromptAnswer,
  type SandboxTransaction,
  type SandboxTransactions,
} from '../../../src/sandbox/transaction'
import { serveSandbox } from '../../sandbox/server'
import { heardLog } from '../../support/captured-log'
import { exchange } from '../../support/http-exchange'

export type FakeDpo = Awaited<ReturnType<typeof startFakeDpo>>

type Options = {
  now: () => Date
  /** Where pushes go; without it, into nothing. */
  pushUrl?: () => string
  slowBankMs?: number
}

/**
 * DPO on a port of this machine, in memory: the sandbox without a database. References may carry the tags of
 * payments.md section 10 (`LP-UNDER-1`), or `script` gives a token one.
 */
export const startFakeDpo = async ({ now, pushUrl, slowBankMs }: Options) => {
  const transactions = transactionsInMemory()
  const log = heardLog()
  let url = ''
  const sandbox = sandboxOn(transactions, {
    now,
    log,
    slowBankMs,
    schoolName: 'Lusaka Test School',
    publicUrl: () => url,
    pushUrl: pushUrl ?? (() => `${url}/nowhere`),
  })
  const server = await serveSandbox(sandbox.routes, log)
  url = server.url
  const config: DpoConfig = { ...sandbox.config }
  const post = (path: string, form: Record<string, string>) =>
    exchange(url, path, { method: 'POST', body: new URLSearchParams(form).toString() })
  return {
    url,
    /** For `dpoProvider`, or for the DPO_* variables of a whole service. */
    config,
    transactions: transactions.all,
    /** The transaction of a token; throws when there is none. */
    transaction: transactions.get,
    /** Has a token follow the script of this tag from now on. */
    script: (token: string, tag: string) =>
      transactions.change(token, (transaction) => scripted(transaction, tag)),
    /** Leaves the payment page as a customer does; answers where the browser is sent, null when it stays. */
    leave: async (token: string, outcome: Ending, more: Record<string, string> = {}) =>
      (await post(`/sandbox/pay/${token}`, { outcome, push: 'off', ...more })).headers.location ?? null,
    /** Answers the newest prompt of a token on its phone; throws when none was sent. */
    answer: async (token: string, choice: PromptAnswer) => {
      const { prompts } = transactions.get(token)
      const prompt = prompts.at(-1)
      if (!prompt) throw new Error(`No prompt was sent for ${token}`)
      const form = { choice, prompt: `${token}.${prompts.length}`, push: 'off' }
      await post(`/sandbox/phone/${prompt.phone}`, form)
    },
    /** Where the real page would send the browser, for scripted returns. */
    returnAddress: (token: string) => returnAddress(transactions.get(token), true),
    backAddress: (token: string) => backAddress(transactions.get(token)),
    /** The body of a push about a token. */
    pushXml: (token: string) => pushXml(transactions.get(token)),
    /** How often this operation has been asked for. */
    asked: (request: string) => log.lines.filter(({ details }) => details.request === request).length,
    /** Sends the pushes that are due. */
    sweep: () => Promise.all(sandbox.sweeps.map(({ run }) => run())),
    /** Everything the fake has logged. */
    log,
    close: async () => {
      await sandbox.close()
      await server.close()
    },
  }
}

const transactionsInMemory = () => {
  const byToken = new Map<string, SandboxTransaction>()
  const all = () => [...byToken.values()]
  const get = (token: string) => {
    const found = byToken.get(token)
    if (!found) throw new Error(`No transaction ${token}`)
    return found
  }
  const keeper: SandboxTransactions = {
    add: async (transaction) => void byToken.set(transaction.token, transaction),
    byToken: async (token) => byToken.get(token) ?? null,
    byRef: async (ref) => all().find((transaction) => transaction.ref === ref) ?? null,
    withCompanyRef: async (companyRef) =>
      all().filter((transaction) => transaction.companyRef === companyRef),
    promptedOn: async (phone, limit) =>
      all()
        .filter(({ prompts }) => prompts.some((prompt) => prompt.phone === phone && prompt.answer === null))
        .slice(-limit)
        .toReversed(),
    change: async (token, decide) => {
      const found = byToken.get(token)
      const changed = found ? decide(found) : null
      if (changed) byToken.set(token, changed)
      return changed
    },
    pushesDue: async (at, limit) =>
      all()
        .filter(({ pushAt }) => pushAt !== null && new Date(pushAt) <= at)
        .slice(0, limit)
        .map(({ token }) => token),
  }
  return { ...keeper, all, get }
}
