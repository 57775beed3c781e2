const swc = (react) => [
  '@swc/jest',
  {
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', tsx: react, dynamicImport: true },
      transform: react ? { react: { runtime: 'automatic' } } : undefined,
    },
    module: { type: 'commonjs' },
  },
]

const base = {
  rootDir: __dirname,
  transform: { '\\.tsx$': swc(true), '\\.[cm]?[jt]s$': swc(false) },
  // The build gives a drawing's address.
  moduleNameMapper: { '\\.svg$': '<rootDir>/tests/support/drawing-address.cjs' },
  // Packages that ship ES modules alone are compiled like our own code.
  transformIgnorePatterns: ['/node_modules/(?!(uuid|@sparticuz/chromium|csv-stringify)/)'],
  setupFilesAfterEnv: ['<rootDir>/tests/support/quiet-console.ts'],
}

module.exports = {
  // A busy machine is slow, not wrong.
  testTimeout: 120_000,
  testSequencer: '<rootDir>/tests/support/longest-first.cjs',
  projects: [
    {
      ...base,
      displayName: 'unit',
      testEnvironment: '<rootDir>/tests/support/node-environment.ts',
      testMatch: ['<rootDir>/tests/**/*.unit.test.ts'],
    },
    {
      ...base,
      displayName: 'int',
      testEnvironment: '<rootDir>/tests/support/node-environment.ts',
      testMatch: ['<rootDir>/tests/**/*.int.test.ts'],
      globalSetup: '<rootDir>/tests/support/start-postgres.ts',
      globalTeardown: '<rootDir>/tests/support/stop-shared.ts',
    },
    {
      ...base,
      displayName: 'web',
      // A sixth less to compute: React's other one notes where each element was made. oxlint finds missing keys (react/jsx-key).
      moduleNameMapper: {
        ...base.moduleNameMapper,
        '^react/jsx-runtime$': '<rootDir>/node_modules/react/cjs/react-jsx-runtime.production.js',
      },
      setupFilesAfterEnv: [
        ...base.setupFilesAfterEnv,
        '@testing-library/jest-dom',
        '<rootDir>/tests/support/web-setup.ts',
      ],
      testEnvironment: '<rootDir>/tests/support/jsdom-environment.ts',
      testMatch: ['<rootDir>/tests/**/*.web.test.tsx'],
    },
    {
      ...base,
      displayName: 'e2e',
      testEnvironment: '<rootDir>/tests/support/node-environment.ts',
      testMatch: ['<rootDir>/tests/**/*.e2e.test.ts'],
      globalSetup: '<rootDir>/tests/support/start-browser.ts',
      globalTeardown: '<rootDir>/tests/support/stop-shared.ts',
    },
    {
      ...base,
      displayName: 'browsers',
      testEnvironment: '<rootDir>/tests/support/node-environment.ts',
      testMatch: ['<rootDir>/tests/**/*.browser.test.ts'],
      globalSetup: '<rootDir>/tests/support/start-postgres.ts',
      globalTeardown: '<rootDir>/tests/support/stop-shared.ts',
    },
  ],
}
