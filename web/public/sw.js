// Shows a page of its own where one cannot be fetched. Whatever can be fetched is, every time: nothing is kept, so no
// release and no answer of the server is ever shown after its time. The page is part of this file, which the browser
// asks for anew by itself.

const device = /Mobi/.test(navigator.userAgent) ? 'phone' : 'device'

const offline = 'You are offline'
const unanswered = 'The tuckshop does not answer'

const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
  <rect width="64" height="64" rx="16" fill="#1f5035" />
  <path d="M12 33h40a20 20 0 0 1-12 18.3V54H24v-2.7A20 20 0 0 1 12 33Z" fill="#f9f3e7" />
  <path d="M24 26c-3-4 3-6 0-10m9 10c-3-4 3-6 0-10m9 10c-3-4 3-6 0-10" fill="none" stroke="#eba673" stroke-width="4" stroke-linecap="round" />
</svg>`

const style = `
  :root { color-scheme: light dark; --page: #f9f3e7; --ink: #2b2118; --muted: #67563f; --button: #1f5035; --on-button: #ffffff; --ring: #cf6523 }
  @media (prefers-color-scheme: dark) {
    :root { --page: #1a150f; --ink: #f3e9da; --muted: #c4b298; --button: #97d0ab; --on-button: #14100b; --ring: #e2884c }
  }
  * { box-sizing: border-box; margin: 0 }
  body, main { display: flex; flex-direction: column; align-items: center; justify-content: center; gap: 1rem }
  body {
    min-height: 100vh; min-height: 100dvh; padding: 1.5rem; text-align: center;
    background: var(--page); color: var(--ink); font: 1rem/1.55 ui-sans-serif, system-ui, sans-serif;
  }
  svg { width: 5rem; height: 5rem }
  h1 { font: 600 1.75rem/1.25 ui-serif, Georgia, serif; margin-bottom: -0.5rem }
  p { max-width: 24rem; color: var(--muted); text-wrap: balance }
  a {
    margin-top: 0.5rem; min-height: 2.75rem; padding: 0.6rem 1.5rem; border-radius: 0.625rem;
    background: var(--button); color: var(--on-button); font-weight: 600; text-decoration: none;
  }
  a:focus-visible { outline: 3px solid var(--ring); outline-offset: 2px }`

// A connection that is said to be back often is not quite, so the page goes on asking. A worker that has just begun may
// not know yet that there is none, but the page does.
const script = `
  const name = () => {
    const title = navigator.onLine ? '${unanswered}' : '${offline}'
    document.querySelector('h1').textContent = title
    document.title = title + ' · Parent & Teacher Portal'
  }
  name()
  addEventListener('offline', name)
  const isCart = ([key, text]) => /^tuckshop-cart-[0-9]+$/.test(key) && text !== '[]'
  try {
    document.querySelector('#cart').hidden = !Object.entries(localStorage).some(isCart)
  } catch {
    // Where storage is refused, nothing is kept.
  }
  const retry = async () => {
    const answer = await fetch('/', { method: 'HEAD', cache: 'no-store' }).catch(() => null)
    if (answer?.ok) location.reload()
  }
  addEventListener('online', retry)
  setInterval(retry, 5000)`

const page = (title) => `<!doctype html>
<html lang="en-ZM">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="theme-color" content="#f9f3e7" media="(prefers-color-scheme: light)" />
    <meta name="theme-color" content="#1a150f" media="(prefers-color-scheme: dark)" />
    <link rel="icon" href="data:image/svg+xml,${encodeURIComponent(drawing)}" />
    <title>${title} · Parent &amp; Teacher Portal</title>
    <style>${style}</style>
  </head>
  <body>
    ${drawing.replace('<svg', '<svg aria-hidden="true"')}
    <main>
      <h1>${title}</h1>
      <p><span id="cart" hidden>Your cart is kept on this ${device}. </span>This page comes back by itself.</p>
      <a href="">Try again</a>
    </main>
    <script>${script}</script>
  </body>
</html>`

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  // The page is a text of this file; nothing in it comes from anybody.
  'Content-Security-Policy':
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
}

const offlinePage = () =>
  new Response(page(navigator.onLine ? unanswered : offline), { status: 503, headers })

const isCall = (url) => new URL(url).pathname.startsWith('/api/')

const fetched = async ({ request, preloadResponse }) => {
  try {
    return (await preloadResponse) ?? (await fetch(request))
  } catch (error) {
    // Somebody may be saving a file: that must fail, or they would keep this page under its name.
    if (isCall(request.url)) throw error
    return offlinePage()
  }
}

const takeOver = async () => {
  // The browser then asks for a page while this file is still being started.
  await self.registration.navigationPreload?.enable()
  await self.clients.claim()
}

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(takeOver()))
self.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate' && event.request.method === 'GET') event.respondWith(fetched(event))
})
