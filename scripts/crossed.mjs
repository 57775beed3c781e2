#!/usr/bin/env node
// How many files and functions of src one story crosses, until its answer and with what it sets off within 0.7 s (a card
// payment: from "pay" to meals), measured in the built service with V8's precise coverage and mapped back through the
// source maps. What runs anyway while nobody asks (timers, pollers) is measured before every run and taken off all of them;
// what not every one of three runs calls is left out.
//
//   npm run crossed -- [--list] [--project DIR] [--hold]
//
// Prints one line a story; --list names the files with the functions called in each; --hold fails where a whole story crosses
// more files or functions than scripts/crossed.json allows (until the answer depends on how far the followers come by then).
// Needs a build with source maps.
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, existsSync, chmodSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const flag = (name) => process.argv.includes(name)
const project = path.resolve(flag('--project') ? process.argv[process.argv.indexOf('--project') + 1] : '.')
const require = createRequire(path.join(project, 'package.json'))
const { TraceMap, originalPositionFor } = require('@jridgewell/trace-mapping')
const here = path.dirname(fileURLToPath(import.meta.url))
const most = flag('--hold') ? JSON.parse(readFileSync(path.join(here, 'crossed.json'), 'utf8')) : {}
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

const port = await new Promise((resolve) => {
  const s = createServer()
  s.listen(0, '127.0.0.1', () => {
    const { port } = s.address()
    s.close(() => resolve(port))
  })
})
const base = `http://127.0.0.1:${port}`
const dataDir = mkdtempSync(path.join(tmpdir(), 'crossed-'))
chmodSync(dataDir, 0o755)
const password = 'a-long-walk-to-chipata'
const service = fork(path.join(project, 'scripts/run.mjs'), ['start'], {
  cwd: project,
  execArgv: ['--import', pathToFileURL(path.join(here, 'crossed-preload.mjs')).href],
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  serialization: 'advanced',
  env: {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_ENV: 'test',
    PORT: String(port),
    PUBLIC_URL: base,
    DATA_DIR: path.join(dataDir, 'data'),
    CLOCK: '2026-09-16T07:00:00+02:00',
    SUPERADMIN_PASSWORD: password,
    LOG_LEVEL: 'warn',
    RATE_LIMITS: 'off',
    SESSION_KEYS: `${'ab12'.repeat(16)},${'cd34'.repeat(16)}`,
  },
})
const ask = async (message) => {
  service.send(message)
  for (;;) {
    const [answer] = await once(service, 'message')
    if (answer.done === message) return answer
  }
}
const end = async () => {
  if (service.exitCode === null) {
    service.kill('SIGTERM')
    await Promise.race([once(service, 'exit'), sleep(15_000).then(() => service.kill('SIGKILL'))])
  }
  rmSync(dataDir, { recursive: true, force: true })
}

const client = () => {
  const cookies = new Map()
  return async (method, url, body, { form } = {}) => {
    const response = await fetch(base + url, {
      method,
      redirect: 'manual',
      headers: {
        accept: 'application/json',
        cookie: [...cookies].map((c) => c.join('=')).join('; '),
        ...(method === 'GET'
          ? {}
          : {
              origin: base,
              'sec-fetch-site': 'same-origin',
              'idempotency-key': randomUUID(),
              'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json',
            }),
      },
      body:
        body === undefined ? undefined : form ? new URLSearchParams(body).toString() : JSON.stringify(body),
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair] = line.split(';')
      const at = pair.indexOf('=')
      cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    const text = await response.text()
    if (response.status >= 400) throw new Error(`${method} ${url}: ${response.status} ${text.slice(0, 300)}`)
    try {
      return JSON.parse(text)
    } catch {
      return text
    }
  }
}
const list = (answer) =>
  Array.isArray(answer) ? answer : (answer.data ?? answer.orders ?? answer.items ?? [])

const maps = new Map()
const source = (url, offset) => {
  if (!maps.has(url)) {
    const file = fileURLToPath(url)
    const text = readFileSync(file, 'utf8')
    const starts = [0]
    for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) starts.push(i + 1)
    maps.set(url, {
      file,
      text,
      starts,
      map: existsSync(`${file}.map`) ? new TraceMap(readFileSync(`${file}.map`, 'utf8')) : null,
    })
  }
  const { file, starts, map } = maps.get(url)
  if (!map) return path.relative(project, file)
  let low = 0,
    high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle] <= offset) low = middle
    else high = middle - 1
  }
  const found = originalPositionFor(map, { line: low + 1, column: offset - starts[low], bias: 1 })
  return found.source ? path.relative(project, path.resolve(path.dirname(file), found.source)) : null
}
const filesOf = ({ called }) => {
  const files = new Map()
  for (const { url, functions } of called)
    for (const f of functions) {
      if (f.offset === 0 && !f.name) continue
      const s = source(url, f.offset)
      if (!s || !s.startsWith('src/')) continue
      const names = files.get(s) ?? new Set()
      names.add(f.name || `(${f.offset})`)
      files.set(s, names)
    }
  return files
}

const keep = (files, wanted) => {
  for (const [file, names] of files) {
    for (const name of names) if (!wanted(file, name)) names.delete(name)
    if (!names.size) files.delete(file)
  }
}

try {
  for (let i = 0; ; i++) {
    try {
      if ((await fetch(`${base}/readyz`)).ok) break
    } catch {}
    if (i > 300 || service.exitCode !== null) throw new Error('the service did not become ready')
    await sleep(200)
  }
  const office = client()
  await office('POST', '/api/login', { username: 'superadmin', password })
  await office('POST', '/api/order-cycles', { startDate: '2026-09-14', cycleLength: 4, blockedDays: [] })
  const item = (name, price) =>
    office('POST', '/api/menu', {
      name,
      description: 'A plate',
      price,
      imageUrl: null,
      type: 'primary',
      categories: ['beef'],
      proteinDescriptions: {},
      weekNumbers: [1, 2, 3, 4],
      daysOfWeek: [1, 2, 3, 4, 5],
      allergens: [],
      sideDishes: ['Rice'],
      isAvailable: true,
    })
  const free = await item('Free plate', '0.00')
  const dear = await item('Plate', '25.00')
  let families = 0
  const family = async () => {
    const name = `parent${++families}`
    const call = client()
    await call('POST', '/api/register', {
      username: name,
      password: 'kw7-lantern',
      name: `Parent ${families}`,
      email: `${name}@example.com`,
      phone: '+260971234567',
    })
    const user = await call('GET', '/api/user')
    const student = await call('POST', '/api/students', {
      name: `Child of ${name}`,
      grade: '3',
      parent_id: user.id,
    })
    return { call, user, student: student.student ?? student }
  }
  const lines = (f, plate, week) =>
    [1, 2, 3, 4, 5].map((day) => ({
      menuItemId: plate.id,
      studentId: f.student.id,
      weekNumber: week,
      dayOfWeek: day,
      category: 'beef',
      sideDish: 'Rice',
      comments: '',
      originalPrice: Number(plate.price),
      discountedPrice: Number(plate.price),
      discountPercentage: 0,
      customerName: f.user.name,
      customerEmail: f.user.email,
    }))
  const meals = async (f, week) =>
    list(await f.call('GET', '/api/orders?unpaginated=true&includeAll=true')).filter(
      (o) => Number(o.weekNumber) === week,
    )
  const stories = {
    menu: { before: family, run: (f) => f.call('GET', '/api/menu?available=true') },
    'free checkout of 5 meals': {
      before: family,
      run: (f) => f.call('POST', '/api/orders', lines(f, free, 2)),
    },
    'card payment of 5 meals': {
      before: family,
      run: async (f) => {
        const cart = lines(f, dear, 2)
        const made = await f.call('POST', '/api/payments/create', {
          amount: 125,
          currency: 'ZMW',
          customerEmail: f.user.email,
          customerPhone: '+260971234567',
          customerFirstName: 'Parent',
          customerLastName: 'One',
          redirectURL: `${base}/payment/success`,
          backURL: `${base}/payment/cancel`,
          paymentMethod: 'CC',
          cartItems: cart,
        })
        await f.call('POST', '/api/payments/payment-attempts', {
          transactionId: made.TransToken,
          transactionRef: made.companyRef,
          paymentAmount: 125,
          cartItems: cart,
          transactionStatus: 'initiated',
          errorDetails: null,
          isRecovered: false,
        })
        await f.call('POST', `/sandbox/pay/${made.TransToken}`, { outcome: 'pay' }, { form: true })
        await f.call('POST', `/api/payments/verify/${made.TransToken}`)
        for (let i = 0; i < 50 && (await meals(f, 2)).length < 5; i++) await sleep(100)
      },
      leaveOut: /sandbox/,
    },
    'cancel one order': {
      before: async () => {
        const f = await family()
        await f.call('POST', '/api/orders', lines(f, free, 3))
        f.order = (await meals(f, 3))[0]
        return f
      },
      run: (f) => f.call('POST', `/api/orders/${f.order.id}/cancel`),
    },
    'kitchen of a week': {
      before: async () => ({ call: office }),
      run: (f) => f.call('GET', '/api/orders/week/2'),
    },
  }
  await ask('begin')
  const idle = new Map()
  const addTo = (sum, files) => {
    for (const [file, names] of files) sum.set(file, new Set([...(sum.get(file) ?? []), ...names]))
  }
  for (const [name, { before, run, leaveOut }] of Object.entries(stories)) {
    await run(await before()) // once before counting: what is only done the first time is not the story
    const once = async (idleMs) => {
      const who = await before()
      await sleep(1000)
      await ask('zero')
      await sleep(idleMs)
      addTo(idle, filesOf(await ask('take')))
      await run(who)
      const answered = filesOf(await ask('take'))
      await sleep(700)
      const whole = filesOf(await ask('take'))
      addTo(whole, answered)
      return { answered, whole }
    }
    const functions = (files, room) =>
      [...files].reduce((sum, [file, names]) => sum + (room.test(file) ? names.size : 0), 0)
    // Sweeps come every 5 s: at first each is met while nobody asks.
    const { answered, whole } = await once(7000)
    const counted = () => Object.entries({ files: whole.size, functions: functions(whole, /./) })
    const isOver = ([what, count]) => count > most[name]?.[what]
    // Above its ceiling it is tried again: what only some runs call, as a timer does, falls out.
    for (let runs = 1; runs < 3 || (runs < 8 && counted().some(isOver)); runs++) {
      const again = await once(1000)
      const alsoIn = (files) => (file, name) =>
        files.get(file)?.has(name) && !idle.get(file)?.has(name) && !leaveOut?.test(file)
      keep(answered, alsoIn(again.answered))
      keep(whole, alsoIn(again.whole))
    }
    for (const [what, count] of counted().filter(isOver)) {
      console.error(`${name} crosses ${count} ${what}, ${most[name][what]} are allowed`)
      process.exitCode = 1
    }
    console.log(
      `${name.padEnd(26)} until the answer ${functions(answered, /./)} functions, ${functions(answered, /modules.(ordering|payments)/)} of them in ordering and payments; in all ${whole.size} files, ${functions(whole, /./)} functions`,
    )
    if (flag('--list'))
      for (const [file, names] of [...whole].sort()) console.log(`    ${file}: ${[...names].join(', ')}`)
  }
} finally {
  await end()
}
