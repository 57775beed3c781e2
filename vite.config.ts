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
 * There is one style sheet, and it stands in the page. What would wait for the style sheets of later parts is half a
 * kilobyte of everybody's first load.
 */
const noStylesForLater = (): Plugin => ({
  name: 'no-styles-for-later',
  apply: 'build',
  transform: (_code, id) =>
    id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load()' : undefined,
  generateBundle(_options, bundle) {
    const sheets = Object.keys(bundle).filter((name) => name.endsWith('.css'))
    if (sheets.length > 1) this.error(`Nobody would load these style sheets: ${sheets.join(', ')}`)
  },
})

/** No list of ours grows page by page; what the query library has for such lists is 0.5 kB of everybody's first load. */
const withoutInfiniteQueries = (): Plugin => ({
  name: 'without-infinite-queries',
  apply: 'build',
  transform: (code, id) =>
    id.endsWith('query-core/build/modern/query.js')
      ? code.replace('infiniteQueryBehavior(this.options.pages)', 'undefined')
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
    if (!/\/src\/contracts\/[^/]+\.ts(?:\?later)?$/.test(id)) return null
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

// Not part of the first load: copies made for later, whatever changes something, what the console alone uses, and what
// comes after the first screen.
const later =
  /[?]later$|\/(?:useMutation|mutationObserver)\.js$|web\/lib\/(?:told|school-moment|page-in-address|list-address|use-list-address|csv|download)\.ts$|web\/app\/install\.ts$/
const inFolder = (folders: RegExp) => (id: string) => folders.test(id) && !later.test(id)

/** What everybody loads, and what both homes load: each one file, which compresses better than many small ones. */
const groups = [
  {
    name: 'base',
    test: inFolder(
      /node_modules\/(?:react|react-dom|scheduler|react-router|react-router-dom|@tanstack\/(?:react-query|query-core)|zod)\/|contracts\/(?:endpoint|identity)|web\/(?:app|lib)\/|web\/features\/session\/(?:brand|current-user)|web\/ui\/(?:button|card|error-state|field|icon|icon-button|icons|page-title|skeleton|spinner|toasts)\./,
    ),
  },
  {
    name: 'home',
    test: inFolder(
      /contracts\/(?:catalogue|cycles|ordering)|web\/pages\/(?:ordering\/(?!plan-week)|parent|teacher)|web\/features\/(?:menu\/|session\/leave|(?:orders|students)\/api|cart\/(?:cart-(?:buttons|items|store)|use-cart))|web\/ui\/(?:badge|empty-state|notice|query-faces|tabs|tooltip)\./,
    ),
  },
]

/**
 * What is loaded later, the whole console among it, gets its own copy of the contracts, so that those of the first load
 * hold only the calls that the first screen makes; so does what those copies import.
 */
const contractsForLater = (): Plugin => ({
  name: 'contracts-for-later',
  apply: 'build',
  enforce: 'pre',
  async resolveId(source, importer = '') {
    const byLaterContract = importer.endsWith('?later') && source.startsWith('./')
    const byLaterScreen =
      importer.includes('/web/') &&
      source.startsWith('#contracts/') &&
      !groups.some(({ test }) => test(importer))
    if (!byLaterContract && !byLaterScreen) return null
    const found = await this.resolve(source, importer, { skipSelf: true })
    return found && { ...found, id: `${found.id}?later` }
  },
})

/** The script's own parts are asked for together with it; the parts of later screens when those are. */
const entryPartsAtOnce = (): Plugin => ({
  name: 'entry-parts-at-once',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { chunk }) =>
      (chunk?.imports ?? []).map((part) => ({
        tag: 'link',
        attrs: { rel: 'modulepreload', crossorigin: true, href: `/${part}` },
      })),
  },
})

export default defineConfig({
  root: 'web',
  plugins: [
    react(),
    tailwindcss(),
    onlyUsedRouterParts(),
    noStylesForLater(),
    withoutInfiniteQueries(),
    onlyUsedContracts(),
    contractsForLater(),
    entryPartsAtOnce(),
  ],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // Inlined files would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: false,
    rollupOptions: {
      output: { codeSplitting: { includeDependenciesRecursively: false, groups } },
    },
  },
  server: {
    port: 5173,
    // The Host stays that of the page: the server takes changes only from its own origin.
    proxy: {
      '/api': { target: 'http://127.0.0.1:3000', changeOrigin: false },
      '/sandbox': { target: 'http://127.0.0.1:3000', changeOrigin: false },
    },
  },
})
