import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { root } from './root.mjs'

const features = 'features'
const admin = 'pages/admin'

/** What the pages begin with, by the names under which src/app/service/first-page.ts asks for it. */
const parts = {
  'sign-in': 'pages/portal/portal-entry.tsx',
  parent: 'pages/parent/home.tsx',
  teacher: 'pages/teacher/home.tsx',
  cart: `${features}/cart/panel/cart-panel.tsx`,
  students: `${features}/students/students-panel.tsx`,
  orders: `${features}/orders/order-history.tsx`,
  admin: `${admin}/console.tsx`,
  'admin menu': `${admin}/menu-section.tsx`,
  'admin kitchen': `${admin}/kitchen-section.tsx`,
  'admin cycles': `${features}/cycles-admin/cycles-screen.tsx`,
  'admin history': `${admin}/cycle-history-section.tsx`,
  'admin live_orders': `${admin}/live-orders-section.tsx`,
  'admin revenue': `${features}/revenue/revenue-stats.tsx`,
  'admin refunds': `${admin}/refunds-section.tsx`,
  'admin admins': `${admin}/admin-users-section.tsx`,
  'admin parents_students': `${admin}/parents-section.tsx`,
  'admin settings': `${admin}/settings-section.tsx`,
  'admin order_recovery': `${admin}/recovery-section.tsx`,
  'admin pending_payments': `${admin}/pending-payments-section.tsx`,
}

const filesOf = (manifest, name, seen = new Set()) => {
  if (seen.has(name)) return []
  seen.add(name)
  if (!manifest[name]) throw new Error(`The build has made no ${name}`)
  const { file, css = [], imports = [] } = manifest[name]
  return [file, ...css, ...imports.flatMap((other) => filesOf(manifest, other, seen))].map(String)
}

/** The files of each part, without those that the page names anyway. */
const filesOfParts = (folder) => {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'))
  const everyones = new Set(filesOf(manifest, 'index.html'))
  return Object.fromEntries(
    Object.entries(parts).map(([name, source]) => [
      name,
      [...new Set(filesOf(manifest, source))]
        .filter((file) => !everyones.has(file))
        .map((file) => `/${file}`),
    ]),
  )
}

const schoolMark = 'the-name-of-the-school'

/** The way in, drawn as React draws it in the browser; `<!--school-->` stands where the school's name goes. */
const drawnSignIn = async (folder) => {
  const outDir = join(folder, '../drawing')
  await build({
    root: join(root, 'web'),
    configFile: false,
    plugins: [react()],
    logLevel: 'warn',
    build: { ssr: 'app/draw.tsx', outDir, emptyOutDir: true, assetsInlineLimit: 0, target: 'node20' },
  })
  const { drawSignIn } = await import(pathToFileURL(join(outDir, 'draw.js')).href)
  const drawn = await drawSignIn(schoolMark)
  rmSync(outDir, { recursive: true })
  return drawn.replaceAll(schoolMark, '<!--school-->')
}

/** Leaves beside the page what the server puts into it: the screen that is drawn already, and which files to fetch. */
export const drawFirstPages = async (folder) => {
  const drawn = { screens: { 'sign-in': await drawnSignIn(folder) }, parts: filesOfParts(folder) }
  writeFileSync(join(folder, '.drawn.json'), JSON.stringify(drawn))
}
