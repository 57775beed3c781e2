/** The rooms and walls of the code, by pattern. Each comment says what to do instead. */
const pure = '^src/modules/.+/(?:[^./]+|[^/]+\\.decide)\\.ts$'

const wall = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

/** The modules from bottom to top. */
const layers = [
  'catalogue',
  'messaging',
  'identity',
  'cycles',
  'credit',
  'ordering',
  'payments',
  'transfers',
  'refunds',
  'closures',
  'books',
  'audit',
  'enrolment',
  'find',
]

/** The rooms of each module that has any, from bottom to top. */
const rooms = {
  identity: ['users', 'sign-in', 'students', 'privacy', 'guardians', 'accounts', 'health', 'messages'],
  ordering: [
    'rules',
    'discounts',
    'slot',
    'portions',
    'orders',
    'kitchen',
    'cart',
    'conflicts',
    'hatch',
    'bulk-actions',
    'reminders',
    'reports',
    'plan',
  ],
  payments: ['providers', 'attempt', 'alternative', 'settlement', 'checkout', 'card', 'console', 'plan'],
  transfers: ['statements', 'confirmations', 'unpaid'],
  books: ['journal', 'settings', 'receipts', 'settlements', 'statement-of-account', 'closings'],
  audit: ['changes', 'chain', 'history', 'checks'],
  enrolment: ['roll', 'claims', 'import', 'deletion'],
}

module.exports = {
  layers,
  rooms,
  forbidden: [
    wall(
      'no-circles',
      'Two files need each other: move what both need to a third, or state a need as a function.',
      {},
      { circular: true },
    ),
    wall(
      'kernel-knows-only-zod',
      'The kernel is pure vocabulary: pass what you need in as an argument.',
      { path: '^src/kernel/' },
      { pathNot: ['^src/kernel/', 'node_modules/zod/'] },
    ),
    wall(
      'contracts-know-zod-and-values',
      'A contract is downloaded by phones: it may use zod, the values of kernel/money, class-name, deadline, folded-name and phone-number, and other contracts, nothing else.',
      { path: '^src/contracts/' },
      {
        pathNot: [
          '^src/contracts/',
          '^src/kernel/(money|class-name|deadline|folded-name|phone-number)\\.ts$',
          'node_modules/zod/',
        ],
      },
    ),
    wall(
      'platform-knows-no-context',
      'Platform pieces know no context and no adapter: take it as a need, or move the code to the module.',
      { path: '^src/platform/' },
      {
        path: [
          '^src/(modules|sandbox|adapters|app)/',
          '^src/contracts/(?!(csv|endpoint|names)\\.ts$)',
          '^web/',
          '^tests/',
        ],
      },
    ),
    wall(
      'adapters-serve-ports',
      'An adapter implements a platform port: it may know platform, kernel and packages.',
      { path: '^src/adapters/' },
      { path: ['^src/(modules|sandbox|app|contracts)/', '^web/', '^tests/'] },
    ),
    wall(
      'only-the-app-opens-the-sandbox',
      'The sandbox is one card provider among others: let src/app choose it.',
      { path: '^src/(kernel|contracts|platform|adapters|modules)/' },
      { path: '^src/sandbox/' },
    ),
    ...layers.map((module, place) =>
      wall(
        `${module}-stands-on-those-below`,
        `Modules go downwards (${layers.join(', ')}): a module knows those below it by index.ts and published.ts. What it has to ask of one above is a hook (src/app/hooks.ts); what happens there goes upwards as an event.`,
        { path: `^src/modules/${module}/` },
        {
          path: '^src/modules/',
          pathNot: [
            `^src/modules/${module}/`,
            ...layers.slice(0, place).map((below) => `^src/modules/${below}/(index|published)\\.ts$`),
          ],
        },
      ),
    ),
    ...Object.entries(rooms).flatMap(([module, all]) =>
      all.slice(0, -1).map((room, place) =>
        wall(
          `${module}-rooms-go-downwards`,
          `The rooms of ${module} go downwards (${all.join(', ')}): move what both need to the lower one.`,
          { path: `^src/modules/${module}/${room}/` },
          { path: `^src/modules/${module}/(${all.slice(place + 1).join('|')})/` },
        ),
      ),
    ),
    wall(
      'rules-are-not-in-doorways',
      'A .routes, .job, .reactor or .process is known by its door (index.ts) alone: move the rule to a file of its own.',
      { path: '^src/modules/', pathNot: '^src/modules/[^/]+/index\\.ts$' },
      { path: '^src/modules/.+\\.(routes|job|reactor|process)\\.ts$' },
    ),
    wall(
      'app-enters-by-the-door',
      'src/app and tests/support use a module by its index.ts.',
      { path: ['^src/app/', '^tests/support/'] },
      { path: '^src/modules/[^/]+/', pathNot: '^src/modules/[^/]+/(index|published)\\.ts$' },
    ),
    wall(
      'modules-stay-inside',
      'A module knows platform, kernel and contracts; adapters and app know it, not the other way round.',
      { path: '^src/modules/' },
      { path: ['^src/(sandbox|adapters|app)/', '^web/', '^tests/'] },
    ),
    wall(
      'sandbox-speaks-the-wire-format',
      'The sandbox stands in for the card provider: of the product it knows the wire format (payments/providers), platform and kernel.',
      { path: '^src/sandbox/' },
      {
        path: ['^src/(adapters|app|contracts|modules)/', '^web/', '^tests/'],
        pathNot: '^src/modules/payments/providers/',
      },
    ),
    wall(
      'decisions-are-pure',
      'Nouns, decisions and published events do no I/O: gather facts in .commands and hand them in.',
      { path: pure, pathNot: ['/(index|ports|refusals)\\.ts$', '^src/modules/payments/providers/'] },
      {
        path: [
          '^src/platform/',
          '^src/modules/.*\\.(commands|routes|view|rows|job|reactor|process)\\.ts$',
          'node_modules/(?!(zod|immutable)/)',
        ],
      },
    ),
    wall(
      'decisions-know-no-node',
      'Nouns, decisions and published events do no I/O: gather facts in .commands and hand them in.',
      { path: pure, pathNot: ['/(index|ports|refusals)\\.ts$', '^src/modules/payments/providers/'] },
      { dependencyTypes: ['core'] },
    ),
    wall(
      'web-sees-only-contracts',
      'The browser gets src/contracts and nothing else of the server.',
      { path: '^web/' },
      { path: ['^src/', '^tests/'], pathNot: '^src/contracts/' },
    ),
    wall(
      'features-are-strangers',
      'Two features meet on a page: let web/pages introduce them.',
      { path: '^web/features/([^/]+)/' },
      { path: '^web/features/', pathNot: '^web/features/$1/' },
    ),
    wall(
      'web-looks-downwards',
      'web/app → pages → features → ui and lib: move the shared piece down.',
      { path: '^web/features/' },
      { path: ['^web/(app|pages)/'] },
    ),
    wall(
      'pages-do-not-know-the-app',
      'Pages are loaded by the app, not the other way round.',
      { path: '^web/pages/' },
      { path: '^web/app/' },
    ),
    wall(
      'queries-know-no-screen',
      'web/queries are reads that several features share: contracts and web/lib alone.',
      { path: '^web/queries/' },
      { path: ['^web/(app|pages|features|ui)/'] },
    ),
    wall(
      'ui-knows-no-domain',
      'web/ui and web/lib are looks and plumbing: pass the words and numbers in as props.',
      { path: '^web/(ui|lib)/' },
      { path: ['^web/(app|pages|features)/', '^src/contracts/(?!(csv|endpoint|names)\\.ts$)'] },
    ),
    wall(
      'support-uses-doors',
      'tests/support drives the product as others do: contracts, ports, adapters, the composition.',
      { path: '^tests/support/' },
      { path: '^src/modules/', pathNot: '^src/modules/[^/]+/(index|published)\\.ts$' },
    ),
    wall(
      'product-knows-no-tests',
      'What a test needs and the product needs belongs to the product.',
      { path: '^(src|web)/' },
      { path: '^tests/' },
    ),
    wall(
      'packages-are-declared',
      'Name the package in package.json (and in a decision), or do without.',
      {},
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown'] },
    ),
    wall(
      'server-uses-shipped-packages',
      'The production image has no devDependencies: move the package to dependencies.',
      { path: '^src/' },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    ),
    wall('imports-resolve', 'The file is not there.', {}, { couldNotResolve: true }),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.cjs', '.mjs', '.json', '.css', '.d.ts'],
    },
  },
}
