// Builds the web application in memory and prints, as JSON, how many bytes of gzipped JavaScript each screen needs
// before it shows: its page, the entry, and everything those import; how many the style sheets of all screens have; and
// how many each section of the console adds to what everybody loads.
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

const built = await build({ logLevel: 'silent', build: { write: false } })
const chunks = [built].flat().flatMap(({ output }) => output.filter(({ type }) => type === 'chunk'))

const holding = (module) =>
  chunks.find(({ modules }) => Object.keys(modules).some((id) => id.endsWith(module)))
const withImports = (chunk, seen = new Set()) => {
  if (seen.has(chunk)) return seen
  seen.add(chunk)
  for (const name of chunk.imports)
    withImports(
      chunks.find(({ fileName }) => fileName === name),
      seen,
    )
  return seen
}
const entry = withImports(chunks.find(({ isEntry }) => isEntry))
const needed = (modules) => new Set(modules.flatMap((module) => [...withImports(holding(module))]))
const sum = (parts) => [...parts].reduce((total, { code }) => total + gzipSync(code).length, 0)
const bytes = (modules) => sum(new Set([...entry, ...needed(modules)]))

const sections = {
  menu: 'web/features/catalogue-admin/menu-management.tsx',
  kitchen: 'web/features/kitchen/kitchen-screen.tsx',
  cycles: 'web/features/cycles-admin/cycles-screen.tsx',
  history: 'web/pages/admin/cycle-history-section.tsx',
  live_orders: 'web/pages/admin/live-orders-section.tsx',
  revenue: 'web/features/revenue/revenue-stats.tsx',
  refunds: 'web/pages/admin/refunds-section.tsx',
  admins: 'web/pages/admin/admin-users-section.tsx',
  parents_students: 'web/features/parents/parents.tsx',
  settings: 'web/pages/admin/settings-section.tsx',
  'settings: discount codes': 'web/features/discount-codes/discount-codes.tsx',
  order_recovery: 'web/pages/admin/recovery-section.tsx',
  pending_payments: 'web/features/pending-payments/pending-payments.tsx',
}
const consoleFrame = needed(['web/pages/admin/console.tsx'])
const added = (module) =>
  sum([...needed([module])].filter((chunk) => !entry.has(chunk) && !consoleFrame.has(chunk)))

const styles = [built]
  .flat()
  .flatMap(({ output }) => output.filter(({ fileName }) => fileName.endsWith('.css')))

process.stdout.write(
  JSON.stringify({
    login: bytes(['web/pages/portal/portal-entry.tsx', 'web/features/session/sign-in/login-form.tsx']),
    parent: bytes(['web/pages/parent/home.tsx']),
    teacher: bytes(['web/pages/teacher/home.tsx']),
    css: styles.reduce((total, { source }) => total + gzipSync(source).length, 0),
    sections: Object.fromEntries(Object.entries(sections).map(([key, module]) => [key, added(module)])),
  }),
)
