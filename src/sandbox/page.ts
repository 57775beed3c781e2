import { decimalFromNgwee } from '#kernel/money'
import { escapeHtml, htmlDocument } from './document'
import { backAddress, returnAddress, canBePaid, statusAt, type SandboxTransaction } from './transaction'

/** Not real card numbers. */
export const testCards = [
  { id: 'visa', brand: 'Visa', number: '4111 1111 1111 1111', does: 'is accepted', accepted: true },
  {
    id: 'mastercard',
    brand: 'Mastercard',
    number: '5555 5555 5555 4444',
    does: 'is accepted',
    accepted: true,
  },
  {
    id: 'refused',
    brand: 'Visa',
    number: '4000 0000 0000 0002',
    does: 'is declined by its bank',
    accepted: false,
  },
] as const

type PageNeeds = { schoolName: string; nonce: string; slowBankSeconds: number }

export const paymentPage = (needs: PageNeeds, transaction: SandboxTransaction, at: Date): string =>
  canBePaid(transaction, at) ? openPage(needs, transaction, at) : endedPage(needs, transaction, at)

const openPage = (needs: PageNeeds, transaction: SandboxTransaction, at: Date) => {
  const main = `<div id="page">
${lastTry(transaction)}
${summary(needs, transaction, at)}
<form method="post" action="/sandbox/pay/${encodeURIComponent(transaction.token)}">
${cardForm(transaction)}
${otherEndings(needs)}
</form>
</div>
<div id="end" class="card end" role="status" tabindex="-1" hidden><h1></h1><p></p></div>`
  return cardDocument(`Pay ${needs.schoolName}`, needs.nonce, main, sandboxScript)
}

const lastTry = ({ outcome, refusal }: SandboxTransaction) => {
  if (outcome !== 'declined') return ''
  const words =
    refusal === null ? 'The bank declined that card. Try another one.' : `On the phone: ${refusal}.`
  return `<p class="said" role="alert">${words}</p>`
}

const cardDocument = (title: string, nonce: string, main: string, script = '') =>
  htmlDocument({ title, nonce, main, script, brand: 'Sandbox card payments' })

export const price = ({ amount, currency }: SandboxTransaction) =>
  `<p class="amount"><small>${escapeHtml(currency)}</small>&nbsp;${decimalFromNgwee(amount)}</p>`

const summary = ({ schoolName }: PageNeeds, transaction: SandboxTransaction, at: Date) => {
  const minutes = Math.ceil((Date.parse(transaction.expiresAt) - at.getTime()) / 60_000)
  return `<section class="card">
<h1>You are paying <b>${escapeHtml(schoolName)}</b></h1>
${price(transaction)}
<dl>
<dt>For</dt><dd>${escapeHtml(transaction.description)}</dd>
<dt>Reference</dt><dd>${escapeHtml(transaction.companyRef)}</dd>
<dt>Pay within</dt><dd>${timeLeft(minutes)}</dd>
</dl>
</section>`
}

const timeLeft = (minutes: number) => {
  if (minutes === 1) return '1 minute'
  return minutes < 180 ? `${minutes} minutes` : `${Math.floor(minutes / 60)} hours`
}

const cardForm = ({ amount, currency }: SandboxTransaction) => `<div class="card">
<fieldset>
<legend>Pay by card</legend>
<p class="hint">Choose a test card. Never enter a real one: the fields below are for show and are not sent.</p>
<div class="choices">
${testCards.map(cardChoice).join('\n')}
</div>
<div class="row">
<label>Expiry date <input value="12/30" inputmode="numeric" autocomplete="off"></label>
<label>Security code <input value="123" inputmode="numeric" autocomplete="off"></label>
</div>
<label class="wide">Name on the card <input value="Test Card" autocomplete="off"></label>
</fieldset>
<button class="pay" name="outcome" value="pay">Pay ${escapeHtml(currency)} ${decimalFromNgwee(amount)}</button>
<button class="plain" name="outcome" value="cancel">Cancel and go back</button>
</div>`

const cardChoice = ({ id, brand, number, does }: (typeof testCards)[number], index: number) =>
  `<label class="choice"><input type="radio" name="card" value="${id}"${index === 0 ? ' checked' : ''}>
<span><span class="number">${number}</span><span class="does">${brand}, ${does}</span></span></label>`

const otherEndings = ({ slowBankSeconds }: PageNeeds) => `<div class="card">
<h2>Other endings to try</h2>
<p class="hint">What else happens on a payment page.</p>
<div class="others">
<button name="outcome" value="decline">Decline <small>The bank says no, whatever the card.</small></button>
<button name="outcome" value="close" data-title="Paid, and the browser was closed"
 data-said="The browser does not go back to the shop. Close this tab and look there for the order.">Pay and close the browser
 <small>Paid, but nobody comes back to the shop.</small></button>
<button name="outcome" value="slow" data-title="The bank takes its time"
 data-said="The payment is pending and will be paid in ${slowBankSeconds} seconds of the shop's clock. Close this tab.">Slow bank
 <small>Pending, then paid after ${slowBankSeconds} seconds; nobody comes back.</small></button>
</div>
<label class="tick"><input type="checkbox" name="push" value="off"> Lose the message that answers the shop it is paid</label>
</div>`

const endedPage = ({ schoolName, nonce }: PageNeeds, transaction: SandboxTransaction, at: Date) => {
  const { title, text, address } = ended(transaction, at)
  return cardDocument(
    title,
    nonce,
    `<div class="card end">
<h1>${title}</h1>
${price(transaction)}
<p>${text}</p>
<p>Reference ${escapeHtml(transaction.companyRef)}</p>
<a class="button" href="${escapeHtml(address)}">Go back to ${escapeHtml(schoolName)}</a>
</div>`,
  )
}

const ended = (transaction: SandboxTransaction, at: Date) => {
  switch (statusAt(transaction, at)) {
    case 'paid':
      return {
        title: 'This has been paid',
        text: 'Nothing more is to be done here.',
        address: returnAddress(transaction, true),
      }
    case 'at-bank':
      return {
        title: 'The bank is still busy',
        text: 'The payment is pending. Nothing more is to be done here.',
        address: returnAddress(transaction, false),
      }
    case 'cancelled':
      return {
        title: 'This was cancelled',
        text: 'Nothing was paid.',
        address: backAddress(transaction),
      }
    default:
      return {
        title: 'The time to pay has passed',
        text: 'Nothing was paid. Please start again.',
        address: backAddress(transaction),
      }
  }
}

export const unknownPage = (nonce: string): string =>
  cardDocument(
    'No such payment',
    nonce,
    `<div class="card end"><h1>There is no such payment</h1><p>The address is not complete, or it is not one of ours.</p></div>`,
  )

/** Tells the outcome after the two endings that answer nothing; all endings work without it. */
const sandboxScript = `
const form = document.querySelector('form')
const page = document.querySelector('#page')
const end = document.querySelector('#end')
const say = (title, text) => {
  end.querySelector('h1').textContent = title
  end.querySelector('p').textContent = text
  page.hidden = true
  end.hidden = false
  end.focus()
}
form.addEventListener('submit', async (event) => {
  const button = event.submitter
  if (button === null || !('said' in button.dataset)) return
  event.preventDefault()
  const body = new URLSearchParams(new FormData(form, button))
  const answer = await fetch(form.action, { method: 'POST', body }).catch(() => null)
  if (answer !== null && answer.status === 204) say(button.dataset.title, button.dataset.said)
  else say('That did not work', 'The payment could not be reached or has ended already. Load the page again to see.')
})
`
