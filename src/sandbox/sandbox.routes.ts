import type { Context } from 'koa'
import { readBody } from '#platform/http/body'
import { httpRefusal } from '#platform/http/request'
import { anyone, rawRoute, type Route } from '#platform/http/route'
import { answerApi, type SandboxApiNeeds } from './api'
import { answerPage } from './document'
import { paymentPage, testCards, unknownPage } from './page'
import { phoneRoutes } from './phone'
import { htmlReply, type SandboxReply } from './replies'
import {
  backAddress,
  returnAddress,
  choose,
  endings,
  statusAt,
  type Ending,
  type SandboxTransaction,
  type ApiVersion,
} from './transaction'

export type SandboxRouteNeeds = SandboxApiNeeds & {
  schoolName: string
  slowBankMs: number
  startPush: (token: string) => void
}

/** DPO's API under `/sandbox/api/v6/` and `/v7/`, its payment page, `/sandbox/pay?ID=<token>`, and payers' phones. */
export const sandboxRoutes = (needs: SandboxRouteNeeds): Route[] => [
  apiRoute(needs, 'v6'),
  apiRoute(needs, 'v7'),
  rawRoute({
    method: 'GET',
    path: '/sandbox/pay',
    access: anyone,
    serve: async (context, call) => {
      const { ID } = call.query as Record<string, unknown>
      showPage(context, needs, await named(needs, ID))
    },
  }),
  rawRoute({
    method: 'POST',
    path: '/sandbox/pay/:token',
    access: anyone,
    options: { crossSite: true, maxBodyBytes: 4096 },
    serve: async (context, call) => {
      const form = new URLSearchParams((await readBody(context)).toString('utf8'))
      await leavePage(context, needs, (call.params as { token: string }).token, form)
    },
  }),
  ...phoneRoutes(needs),
]

const named = async ({ transactions }: SandboxRouteNeeds, token: unknown) =>
  typeof token === 'string' && /^[\w-]{1,64}$/.test(token) ? transactions.byToken(token) : null

const apiRoute = (needs: SandboxRouteNeeds, version: ApiVersion) =>
  rawRoute({
    method: 'POST',
    path: `/sandbox/api/${version}/`,
    access: anyone,
    options: { crossSite: true, maxBodyBytes: 64 * 1024 },
    serve: async (context) => {
      const xml = (await readBody(context)).toString('utf8')
      // As the real one's front does.
      const isNamed = context.get('user-agent') !== ''
      await reply(context, isNamed ? await answerApi(needs, version, xml) : htmlReply(403, '403 Forbidden'))
    },
  })

const stallMs = 60_000

const reply = async (context: Context, answer: SandboxReply) => {
  if (answer.kind === 'stall') {
    await untilGone(context)
    return
  }
  context.status = answer.status
  context.set('Content-Type', answer.type)
  context.body = answer.body
}

const untilGone = (context: Context) =>
  new Promise<void>((resolve) => {
    const timeout = setTimeout(resolve, stallMs)
    context.res.once('close', () => {
      clearTimeout(timeout)
      resolve()
    })
  })

const showPage = (
  context: Context,
  { now, schoolName, slowBankMs }: SandboxRouteNeeds,
  transaction: SandboxTransaction | null,
) => {
  if (!transaction) return answerPage(context, { status: 404, page: unknownPage })
  const needs = { schoolName, slowBankSeconds: Math.round(slowBankMs / 1000) }
  answerPage(context, {
    status: 200,
    leadsTo: [transaction.redirectUrl, transaction.backUrl],
    page: (nonce) => paymentPage({ ...needs, nonce }, transaction, now()),
  })
}

const leavePage = async (
  context: Context,
  needs: SandboxRouteNeeds,
  token: string,
  form: URLSearchParams,
) => {
  const { transactions, now, slowBankMs, startPush } = needs
  const outcome = endings.find((ending) => ending === form.get('outcome'))
  if (!outcome) throw httpRefusal('validation_failed', `outcome takes one of ${endings.join(', ')}`)
  const card = testCards.find(({ id }) => id === form.get('card')) ?? testCards[0]
  const ending = outcome === 'pay' && !card.accepted ? 'decline' : outcome
  const at = now()
  const found = await named(needs, token)
  if (!found) return showPage(context, needs, null)
  const pushes = form.get('push') !== 'off'
  const cardLast4 = card.number.slice(-4)
  const chosen = { ending, cardLast4, pushes, at, slowBankMs }
  const changed = await transactions.change(token, (transaction) => choose(transaction, chosen), found)
  if (changed) startPush(token)
  answerChoice(context, changed ?? found, { ending, changed: changed !== null, at })
}

const answerChoice = (
  context: Context,
  transaction: SandboxTransaction,
  { ending, changed, at }: { ending: Ending; changed: boolean; at: Date },
) => {
  const paid = statusAt(transaction, at) === 'paid'
  context.status = 303
  if (!changed && !(paid && ending === 'pay')) {
    // The page answers whatever happened meanwhile.
    context.set('Location', `/sandbox/pay?ID=${encodeURIComponent(transaction.token)}`)
  } else if (ending === 'close' || ending === 'slow') {
    context.status = 204
  } else if (ending === 'cancel') {
    context.set('Location', backAddress(transaction))
  } else {
    context.set('Location', returnAddress(transaction, paid))
  }
}
