import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/**
 * The router names its components at module level, which keeps all of them in the build although most are unused.
 * Without the names the unused ones fall away; of the router's two builds the one without warnings is taken.
 * Together 8 kB of everybody's first load.
 */
const onlyUsedRouterParts = (): Plugin => ({
  name: 'only-used-router-parts',
  apply: 'build',
  config: () => ({
    resolve: {
      alias: [
        { find: /^react-router$/, replacement: file('node_modules/react-router/dist/production/index.mjs') },
      ],
    },
  }),
  transform: (code, id) =>
    id.includes('react-router/dist')
      ? code
          .replace(/^\w+\.displayName = .*$/gm, '')
          .replace(/= (React\d*\.(?:forwardRef|createContext|memo)\()/g, '= /* @__PURE__ */ $1')
      : undefined,
})

/**
 * Marks what a contract file declares as free of side effects, value by value, so that endpoints and schemas which
 * nobody on a page uses fall away.
 */
const onlyUsedContracts = (): Plugin => ({
  name: 'only-used-contracts',
  apply: 'build',
  transform(code, id) {
    if (!/\/src\/contracts\/[^/]+\.ts(?:\?console)?$/.test(id)) return null
    const values = this.parse(code).body.flatMap((statement) => {
      const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
      return declaration?.type === 'VariableDeclaration' ? declaration.declarations : []
    })
    const called = values.flatMap(({ init }) => (init?.type === 'CallExpression' ? [init] : [])).toReversed()
    return called.reduce(
      (text, { start, end }) =>
        `${text.slice(0, start)}/* @__PURE__ */ (() => ${text.slice(start, end)})()${text.slice(end)}`,
      code,
    )
  },
})

const parentFeatures = 'cart|menu|orders|payment|session|students|support'
const consoleCode = new RegExp(`/web/(pages/admin/|features/(?!(?:${parentFeatures})/))`)

/** The console gets its own copy of the contracts, so that a parent's holds only the calls that parents make. */
const contractsOfTheConsole = (): Plugin => ({
  name: 'contracts-of-the-console',
  apply: 'build',
  enforce: 'pre',
  async resolveId(source, importer) {
    if (!source.startsWith('#contracts/') || !consoleCode.test(importer ?? '')) return null
    const found = await this.resolve(source, importer, { skipSelf: true })
    return found && { ...found, id: `${found.id}?console` }
  },
})

// Changing something is not part of the first load of a home, nor is what the console alone uses; whoever needs it
// brings the code along.
const later =
  /[?]console$|\/(?:useMutation|mutationObserver)\.js$|web\/lib\/(?:told|school-moment|page-in-address)\.ts$/
const inFolder = (folders: RegExp) => (id: string) => folders.test(id) && !later.test(id)

/** What everybody loads, and what both homes load: each one file, which compresses better than many small ones. */
const groups = [
  {
    name: 'base',
    test: inFolder(
      /node_modules\/(?:react|react-dom|scheduler|react-router|react-router-dom|@tanstack|zod)\/|contracts\/(?:endpoint|identity)|web\/(?:app|lib)\/|web\/features\/session\/(?:api|brand)|web\/ui\/(?:button|card|error-state|field|icon|icon-button|page-title|skeleton|spinner|toasts)\./,
    ),
  },
  {
    name: 'home',
    test: inFolder(
      /contracts\/(?:catalogue|cycles|ordering)|web\/pages\/(?:ordering|parent)\/|web\/features\/(?:menu\/|session\/leave|(?:orders|students)\/api|cart\/(?:cart-(?:buttons|items|store)|use-cart))|web\/ui\/(?:badge|empty-state|notice|query-faces|select|tabs)\./,
    ),
  },
]

export default defineConfig({
  root: 'web',
  plugins: [react(), tailwindcss(), onlyUsedRouterParts(), onlyUsedContracts(), contractsOfTheConsole()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // Inlined files would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      output: { codeSplitting: { includeDependenciesRecursively: false, groups } },
    },
  },
  server: {
    port: 5173,
    proxy: { '/api': 'http://127.0.0.1:3000', '/sandbox': 'http://127.0.0.1:3000' },
  },
})
