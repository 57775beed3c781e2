import type { Context } from 'koa'
import { internationalPhone } from '#kernel/phone-number'
import { readBody } from '#platform/http/body'
import { httpRefusal } from '#platform/http/request'
import { anyone, rawRoute, type Route } from '#platform/http/route'
import type { Now } from '#platform/ports'
import { answerPage, escapeHtml, htmlDocument } from './document'
import { answerPrompt, waitingPrompts, walletOf, type WaitingPrompt } from './mobile-money'
import { price } from './page'
import { promptAnswers, type PromptAnswer, type SandboxTransactions } from './transaction'

type PhoneNeeds = {
  transactions: SandboxTransactions
  now: Now
  schoolName: string
  startPush: (token: string) => void
}

/** A payer's phone with the prompts that wait on it, its number in any form that people write. */
export const phoneRoutes = (needs: PhoneNeeds): Route[] => [
  rawRoute({
    method: 'GET',
    path: '/sandbox/phone/:number',
    access: anyone,
    serve: async (context, call) => {
      const phone = phoneIn(call.params)
      const { did } = call.query as Record<string, unknown>
      await showPhone(context, needs, phone, typeof did === 'string' ? did : '')
    },
  }),
  rawRoute({
    method: 'POST',
    path: '/sandbox/phone/:number',
    access: anyone,
    options: { crossSite: true, maxBodyBytes: 4096 },
    serve: async (context, call) => {
      const form = new URLSearchParams((await readBody(context)).toString('utf8'))
      await answerPhone(context, needs, phoneIn(call.params), form)
    },
  }),
]

/** Twelve digits with the country's code; null for a number of no Zambian phone. */
const phoneIn = (params: unknown): string | null => {
  const phone = internationalPhone((params as { number: string }).number)
  return phone?.startsWith('+260') ? phone.slice(1) : null
}

const maxTokens = 20

const showPhone = async (context: Context, needs: PhoneNeeds, phone: string | null, did: string) => {
  if (phone === null) return answerPage(context, { status: 404, page: noPhonePage })
  const at = needs.now()
  const transactions = await needs.transactions.promptedOn(phone, maxTokens)
  const waiting = transactions.flatMap((transaction) => waitingPrompts(transaction, phone, at))
  const shown = { phone, waiting, said: Object.hasOwn(said, did) ? said[did as keyof typeof said] : null }
  answerPage(context, {
    status: 200,
    page: (nonce) => phonePage(shown, needs.schoolName, nonce),
  })
}

const answerPhone = async (
  context: Context,
  { transactions, now, startPush }: PhoneNeeds,
  phone: string | null,
  form: URLSearchParams,
) => {
  const answer = promptAnswers.find((one) => one === form.get('choice'))
  if (!answer) throw httpRefusal('validation_failed', `choice takes one of ${promptAnswers.join(', ')}`)
  if (phone === null) return answerPage(context, { status: 404, page: noPhonePage })
  const [, token = '', place = ''] = /^([\w-]{1,64})\.(\d{1,3})$/.exec(form.get('prompt') ?? '') ?? []
  const found = await transactions.byToken(token)
  const answered = { phone, place: Number(place), answer, pushes: form.get('push') !== 'off', at: now() }
  const changed = found && (await transactions.change(token, (one) => answerPrompt(one, answered), found))
  if (changed) startPush(token)
  const prompt = (changed ?? (await transactions.byToken(token)))?.prompts[answered.place - 1]
  // Pressing twice is told as pressing once.
  const did = prompt?.phone === phone && prompt.answer === answer ? answer : 'gone'
  context.status = 303
  context.set('Location', `/sandbox/phone/${phone}?did=${did}`)
}

const said = {
  approve: 'Approved. The money has left this phone.',
  'wrong-pin': 'That PIN was wrong. Nothing was paid.',
  'not-enough': 'There was not enough money. Nothing was paid.',
  decline: 'Declined. Nothing was paid.',
  ignore: 'The prompt went away without an answer.',
  gone: 'That prompt had ended already. Nothing was done.',
} satisfies Record<PromptAnswer | 'gone', string>

type Shown = { phone: string; waiting: WaitingPrompt[]; said: string | null }

const brand = 'Sandbox mobile money'

const phonePage = ({ phone, waiting, said: words }: Shown, schoolName: string, nonce: string) => {
  const number = `+260 ${phone.slice(3, 5)} ${phone.slice(5, 8)} ${phone.slice(8)}`
  const none = waiting.length === 0
  return htmlDocument({
    title: `Phone ${number}`,
    brand,
    nonce,
    // While a prompt waits, nothing may take the page from under a finger.
    head: none ? '<noscript><meta http-equiv="refresh" content="10"></noscript>\n' : '',
    main: `<h1 class="card">The phone <b>${number}</b></h1>
${words === null ? '' : `<p class="said ${words === said.approve ? 'done' : ''}" role="alert">${words}</p>`}
<p id="count" role="status">${countOf(waiting.length)}</p>
<div id="prompts" data-shown="${waiting.map(idOf).join(' ')}">
${waiting.map((one) => promptCard(one, schoolName)).join('\n')}
</div>
<a class="again" href="/sandbox/phone/${phone}">Look again</a>`,
    script: lookScript,
  })
}

const countOf = (count: number) => {
  if (count === 0) return 'Nothing waits on this phone. A payment that is asked for shows here by itself.'
  return count === 1 ? 'One payment waits for an answer.' : `${count} payments wait for an answer.`
}

const idOf = ({ transaction, place }: WaitingPrompt) => `${transaction.token}.${place}`

const promptCard = (waiting: WaitingPrompt, schoolName: string) => {
  const { transaction, prompt, place } = waiting
  const id = idOf(waiting)
  return `<div class="card" role="group" aria-labelledby="to-${id}">
<h2 id="to-${id}">Pay ${escapeHtml(schoolName)}?</h2>
${price(transaction)}
<dl>
<dt>From</dt><dd>${escapeHtml(walletOf(prompt.network))}</dd>
<dt>For</dt><dd>${escapeHtml(transaction.description)}</dd>
<dt>Reference</dt><dd>${escapeHtml(transaction.companyRef)}</dd>
${transaction.prompts.length === 1 ? '' : `<dt>Prompt</dt><dd>${place} of ${transaction.prompts.length}</dd>`}
</dl>
<form method="post" action="/sandbox/phone/${prompt.phone}">
<input type="hidden" name="prompt" value="${id}">
<button class="pay" name="choice" value="approve">Approve</button>
<div class="others pairs">
<button name="choice" value="wrong-pin">Wrong PIN</button>
<button name="choice" value="not-enough">Not enough money</button>
<button name="choice" value="decline">Decline</button>
<button name="choice" value="ignore">Ignore</button>
</div>
<label class="tick"><input type="checkbox" name="push" value="off"> Lose the message that answers the shop it is paid</label>
</form>
</div>`
}

const noPhonePage = (nonce: string) =>
  htmlDocument({
    title: 'No such phone',
    brand,
    nonce,
    main: `<div class="card end"><h1>There is no such phone</h1><p>The address ends with a number of Zambia, such as 0977123456.</p></div>`,
  })

/** Looks for prompts every three seconds; the page stays as it is until they are others. */
const lookScript = `
const look = async () => {
  if (document.hidden) return
  const answer = await fetch(location.pathname).catch(() => null)
  if (answer === null || !answer.ok) return
  // The policy of this page forbids the style of another answer.
  const text = (await answer.text()).replace(/<style[^]*?<.style>/, '')
  const next = new DOMParser().parseFromString(text, 'text/html')
  const [shown, found] = [document, next].map((page) => page.querySelector('#prompts'))
  if (found === null || found.dataset.shown === shown.dataset.shown) return
  document.querySelector('#count').textContent = next.querySelector('#count').textContent
  shown.replaceWith(document.adoptNode(found))
}
setInterval(look, 3000)
document.addEventListener('visibilitychange', look)
`
