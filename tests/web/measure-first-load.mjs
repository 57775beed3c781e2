// Builds the web application in memory and prints, as JSON, how many bytes of gzipped JavaScript each screen needs
// before it shows: its page, the entry, and everything those import.
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
const bytes = (pages) => {
  const needed = [chunks.find(({ isEntry }) => isEntry), ...pages.map(holding)].map((chunk) =>
    withImports(chunk),
  )
  const all = new Set(needed.flatMap((parts) => [...parts]))
  return [...all].reduce((sum, { code }) => sum + gzipSync(code).length, 0)
}

console.log(
  JSON.stringify({
    login: bytes(['web/pages/portal/portal-entry.tsx', 'web/features/session/login-form.tsx']),
    parent: bytes(['web/pages/parent/home.tsx']),
    teacher: bytes(['web/pages/teacher/home.tsx']),
  }),
)
