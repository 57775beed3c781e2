import { randomBytes } from 'node:crypto'
import type { Context } from 'koa'

export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

const lock = `<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" aria-hidden="true"><rect x="4" y="10" width="16" height="11" rx="2"/><path d="M8 10V7a4 4 0 0 1 8 0v3"/></svg>`

type HtmlDocument = {
  /** Text; `main`, `script` and `head` are trusted markup. */
  title: string
  brand: string
  nonce: string
  main: string
  script?: string
  head?: string
}

/** A page of the sandbox, which says so at its top. */
export const htmlDocument = ({
  title,
  brand,
  nonce,
  main,
  script = '',
  head = '',
}: HtmlDocument): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${head}<title>SANDBOX: ${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${sandboxStyle}</style>
</head>
<body>
<header class="tape"><strong>SANDBOX</strong> No real money moves here.</header>
<main>
<p class="brand">${lock} ${brand}</p>
${main}
</main>
${script === '' ? '' : `<script type="module" nonce="${nonce}">${script}</script>`}
</body>
</html>`

type Shown = { status: number; leadsTo?: readonly string[]; page: (nonce: string) => string }

/** Answers a page; `leadsTo` are the addresses that its forms end at. */
export const answerPage = (context: Context, { status, leadsTo = [], page }: Shown): void => {
  const nonce = randomBytes(16).toString('base64')
  context.set('Content-Security-Policy', pagePolicy(nonce, leadsTo))
  context.set('Content-Type', 'text/html; charset=utf-8')
  context.status = status
  context.body = page(nonce)
}

/** Allows the page's own style and script only. Browsers check the redirect of a form against form-action. */
const pagePolicy = (nonce: string, leadsTo: readonly string[]): string => {
  const origins = [...new Set(leadsTo.map((address) => new URL(address).origin))]
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    'img-src data:',
    `form-action ${["'self'", ...origins].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** A bank's look, not the school's; the only place with its colours. */
const sandboxStyle = `
:root { color-scheme: light dark; --ink: #17202e; --muted: #4b5768; --line: #cfd6e0; --field: #8591a3; --page: #eef1f6;
  --card: #fff; --blue: #1d4ed8; --blue-dark: #1e3a9e; --red: #a61b1b; --green: #12603a; --tape: #fde68a; --tape-ink: #3f2d00;
  --on-blue: #fff; --chosen: #f3f6ff; --hover: #f3f5f9; --said: #fdf1f1; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8ecf3; --muted: #aab4c4; --line: #344054; --field: #76839a; --page: #11161f; --card: #1b2230;
    --blue: #8fb0ff; --blue-dark: #b5cbff; --red: #ffaaa5; --green: #83d3a6; --tape: #4a3a0c; --tape-ink: #fde68a;
    --on-blue: #0d1526; --chosen: #232f4b; --hover: #273144; --said: #3a1f22; }
}
* { box-sizing: border-box; }
body { margin: 0; min-width: 20rem; background: var(--page); color: var(--ink);
  font: 1rem/1.5 ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', Arial, sans-serif; }
.tape { position: sticky; top: 0; z-index: 1; padding: .5rem .75rem; text-align: center; font-size: .8125rem;
  color: var(--tape-ink); background: var(--tape); border-bottom: 2px dashed var(--tape-ink); }
.tape strong { margin-right: .35em; letter-spacing: .12em; }
html { scroll-padding-top: 4rem; }
main { max-width: 30rem; margin: 0 auto; padding: 1rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .875rem; padding: 1.1rem;
  box-shadow: 0 1px 2px rgb(23 32 46 / .06), 0 6px 20px rgb(23 32 46 / .07); }
.card + .card, form { margin-top: 1rem; }
.brand { display: flex; align-items: center; gap: .6rem; margin: .5rem 0 1rem; font-weight: 600; color: var(--muted); }
.brand svg { width: 1.75rem; height: 1.75rem; flex: none; }
h1, h2, p, dl, dd { margin: 0; }
h1 { font-size: 1rem; font-weight: 500; color: var(--muted); }
h1 b { display: block; font-size: 1.25rem; line-height: 1.3; color: var(--ink); overflow-wrap: anywhere; }
h2 { font-size: 1.0625rem; }
.amount { margin-top: .6rem; font-size: 2.25rem; line-height: 1.15; font-weight: 700; letter-spacing: -.01em;
  font-variant-numeric: tabular-nums; }
.amount small { font-size: .5em; font-weight: 600; color: var(--muted); letter-spacing: .04em; }
dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .15rem 1rem; margin-top: .8rem; padding-top: .8rem;
  border-top: 1px solid var(--line); font-size: .9375rem; }
dt { color: var(--muted); }
dd { text-align: right; overflow-wrap: anywhere; }
fieldset { margin: 0; padding: 0; border: 0; min-width: 0; }
legend { padding: 0; font-size: 1.0625rem; font-weight: 600; }
.hint { margin-top: .2rem; font-size: .875rem; color: var(--muted); }
.choices { display: grid; gap: .5rem; margin-top: .75rem; }
.choice { display: grid; grid-template-columns: auto 1fr; align-items: center; column-gap: .7rem; min-height: 3.25rem;
  padding: .5rem .7rem; border: 1px solid var(--field); border-radius: .625rem; cursor: pointer; }
.choice input { width: 1.2rem; height: 1.2rem; margin: 0; accent-color: var(--blue); }
.choice:has(input:checked) { border-color: var(--blue); box-shadow: inset 0 0 0 1px var(--blue); background: var(--chosen); }
.choice:has(:focus-visible), input:focus-visible, button:focus-visible, a:focus-visible, summary:focus-visible {
  outline: 3px solid var(--blue); outline-offset: 2px; }
.choice input:focus-visible { outline: none; }
.choice span { display: block; }
.number { font-variant-numeric: tabular-nums; font-weight: 600; font-size: .9375rem; white-space: nowrap; }
.does { font-size: .875rem; color: var(--muted); }
.row { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; margin-top: .75rem; }
.row label, .wide { display: block; font-size: .875rem; color: var(--muted); }
.wide { margin-top: .75rem; }
.row input, .wide input { display: block; width: 100%; min-height: 2.75rem; margin-top: .2rem; padding: .5rem .75rem; font: inherit;
  color: var(--ink); background: var(--card); border: 1px solid var(--field); border-radius: .625rem; }
button, .button { display: flex; align-items: center; justify-content: center; width: 100%; min-height: 3rem; padding: .6rem 1rem;
  font: inherit; font-weight: 600; text-align: center; text-decoration: none; color: var(--ink); background: var(--card);
  border: 1px solid var(--field); border-radius: .625rem; cursor: pointer; }
button:hover, .button:hover { background: var(--hover); }
.pay, .button { margin-top: 1.1rem; color: var(--on-blue); background: var(--blue); border-color: var(--blue); }
.pay:hover, .button:hover { background: var(--blue-dark); }
.plain { margin-top: .5rem; border-color: transparent; background: none; color: var(--muted); }
.others { display: grid; gap: .5rem; margin-top: .75rem; }
.others button { justify-content: flex-start; display: block; text-align: left; }
.others small { display: block; font-weight: 400; font-size: .875rem; color: var(--muted); }
.tick { display: flex; align-items: center; gap: .6rem; min-height: 2.75rem; margin-top: .4rem; font-size: .9375rem; }
.tick input { width: 1.2rem; height: 1.2rem; margin: 0; accent-color: var(--blue); flex: none; }
.said { margin-bottom: 1rem; padding: .7rem .9rem; border-left: 4px solid var(--red); border-radius: .375rem; background: var(--said);
  color: var(--red); font-weight: 500; }
.said.done { border-color: var(--green); background: var(--card); color: var(--green); }
.card + .said { margin-top: 1rem; }
#count { margin: 1rem 0; color: var(--muted); }
.pairs { grid-template-columns: 1fr 1fr; }
.pairs button { padding-inline: .4rem; text-align: center; }
.again { display: block; margin-top: .75rem; padding: .75rem; text-align: center; font-weight: 600; color: var(--blue); }
.end { text-align: center; padding-block: 2rem; }
.end h1 { font-size: 1.375rem; font-weight: 700; color: var(--ink); }
.end p { margin-top: .5rem; color: var(--muted); }
.end .amount { color: var(--ink); }
[hidden] { display: none !important; }
#end { max-width: 30rem; margin: 0 auto; }
@media (min-width: 40rem) { .tape { font-size: .9375rem; } main { padding-top: 1.5rem; } .card { padding: 1.5rem; } }
@media (min-width: 56rem) {
  main:has(#page:not([hidden])) { max-width: 54rem; }
  #page { display: grid; grid-template-columns: 20rem minmax(0, 1fr); gap: 1.25rem; align-items: start; }
  #page form { margin: 0; }
  #page > section { position: sticky; top: 4.5rem; }
  .said { grid-column: 1 / -1; margin: 0; }
}
`
