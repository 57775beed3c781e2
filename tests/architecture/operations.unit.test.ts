import { execFileSync, spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { readdirSync, mkdtempSync, readFileSync, rmSync, chmodSync, writeFileSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { esdbAddress } from '../../src/adapters/event-store/esdb/connection'
import { readConfig, variableNames } from '../../src/app/config'
import LongestFirst from '../support/longest-first.cjs'
import { anchorsOf, fileIsThere, fileText, variablesIn, yamlFile, yamlText } from '../support/repository'

describe('operations files', () => {
  type Service = {
    image: string
    build?: string
    env_file?: string
    environment: Record<string, string | number>
    depends_on?: Record<string, { condition: string }>
    ports?: string[]
    volumes?: string[]
    networks: string[]
    healthcheck?: { test: string[] }
    restart: string
    mem_limit: string
    cpus: number
    read_only?: boolean
    cap_drop?: string[]
  }
  type Compose = {
    services: Record<string, Service>
    networks: Record<string, { internal?: boolean } | null>
    volumes: Record<string, unknown>
  }
  type Alerts = { groups: { rules: { alert: string; annotations: { runbook: string } }[] }[] }
  type Scraping = { scrape_configs: { static_configs: { targets: string[] }[] }[]; rule_files: string[] }

  const { services, networks, volumes } = yamlFile<Compose>('docker-compose.yml')
  const composeText = fileText('docker-compose.yml')
  const known = variableNames
  const ours = ['app', 'worker']
  const stores = ['postgres', 'eventstore', 'redis']
  const sample = variablesIn('ops/compose.env.example')
  const named = Object.entries(services)
  const mains = readdirSync('src/app/commands').filter((name) => name.endsWith('-main.ts'))
  const dockerfile = fileText('Dockerfile')

  /** What stands there once .env has been filled in. */
  const filledIn = (text: string, env: Record<string, string>): string => {
    const once = text.replaceAll(
      /\$\{(\w+)(?::[-?]([^${}]*))?\}/g,
      (_all, name: string, other = '') => env[name] || other,
    )
    return once === text ? text : filledIn(once, env)
  }

  describe('the compose set', () => {
    test.each(ours)('%s starts with the variables it is given', (name) => {
      const given = services[name]!.environment
      expect(Object.keys(given).filter((variable) => !known.includes(variable))).toEqual([])
      const env = {
        ...sample,
        DATABASE_PASSWORD: 'secret1',
        REDIS_PASSWORD: 'secret2',
        MAIL_PASSWORD: 'secret3',
        EVENTSTORE_PASSWORD: 'secret4',
      }
      const values = Object.entries(given).map(([key, value]) => [key, filledIn(String(value), env)])
      const config = readConfig({ ...env, NODE_ENV: 'production', ...Object.fromEntries(values) })
      expect(config).toMatchObject({
        ROLE: name === 'app' ? 'web' : 'worker',
        PORT: 3000,
        HOST: '0.0.0.0',
        TRUST_PROXY: 1,
        publicUrl: 'https://localhost',
        DATABASE_URL: 'postgres://tuckshop:secret1@postgres:5432/tuckshop',
        REDIS_URL: 'redis://:secret2@redis:6379',
        EVENTSTORE_URL: 'esdb://admin:secret4@eventstore:2113?tls=true&tlsCAFile=/certificates/ca/ca.crt',
        SMTP_URL: 'smtp://tuckshop:secret3@mail:1025',
      })
    })

    test('its sample of variables holds what it asks for, what the service knows, and no secret', () => {
      const asked = [...composeText.matchAll(/\$\{(\w+)/g)].map(([, name]) => name!)
      expect(asked.filter((name) => !(name in sample))).toEqual([])
      const composeOnly = [
        'SITE_ADDRESS',
        'POSTGRES_PASSWORD',
        'DATABASE_PASSWORD',
        'REDIS_PASSWORD',
        'EVENTSTORE_PASSWORD',
        'MAIL_PASSWORD',
      ]
      expect(Object.keys(sample).filter((name) => ![...known, ...composeOnly].includes(name))).toEqual([])
      const secrets = [
        'POSTGRES_PASSWORD',
        'DATABASE_PASSWORD',
        'REDIS_PASSWORD',
        'EVENTSTORE_PASSWORD',
        'MAIL_PASSWORD',
        'SESSION_KEYS',
        'SUPERADMIN_PASSWORD',
        'METRICS_TOKEN',
        'DPO_PUSH_SECRET',
      ]
      expect(secrets.map((name) => sample[name])).toEqual(secrets.map(() => ''))
      expect(services.app!.env_file).toBe('.env')
      expect(fileText('.gitignore').split('\n')).toContain('.env')
      expect(fileText('.dockerignore').split('\n')).toContain('.env')
    })

    test.each(named)('%s is bounded, watched and started again', (_name, service) => {
      expect(service).toMatchObject({ restart: 'unless-stopped' })
      expect([service.mem_limit, service.cpus]).toEqual([
        expect.stringMatching(/^\d+[mg]$/),
        expect.any(Number),
      ])
      // Our own image brings its health check.
      expect(service.healthcheck ?? (service.build && /^HEALTHCHECK /m.test(dockerfile))).toBeTruthy()
    })

    test.each(named)(
      '%s names only services, networks, volumes and files that are there',
      (_name, service) => {
        for (const other of Object.keys(service.depends_on ?? {})) expect(services).toHaveProperty([other])
        for (const network of service.networks) expect(networks).toHaveProperty([network])
        for (const volume of service.volumes ?? []) {
          const [source = ''] = volume.split(':')
          // Made by ops/eventstore/make-certificates.sh.
          if (source.startsWith('./ops/eventstore/certificates/')) continue
          if (source.startsWith('./')) expect(fileIsThere(source)).toBe(true)
          else expect(volumes).toHaveProperty([source])
        }
      },
    )

    test('only the proxy is open to others; the stores are on a network that leads nowhere', () => {
      const published = named.flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`))
      expect(published).toEqual(['proxy 80:80', 'proxy 443:443', 'mail 127.0.0.1:8025:8025'])
      expect(networks.back).toEqual({ internal: true })
      expect(stores.map((name) => services[name]!.networks)).toEqual(stores.map(() => ['back']))
    })

    test('whoever reads the mails of a trial or sends one through it signs in', () => {
      const login = 'tuckshop:${MAIL_PASSWORD:?see ops/compose.env.example}'
      expect(services.mail!.environment).toMatchObject({
        MP_UI_AUTH: login,
        MP_SMTP_AUTH: login,
        MP_SMTP_AUTH_ALLOW_INSECURE: 'true',
      })
    })

    test('our containers cannot be written to and have no capabilities', () => {
      for (const name of ours) expect(services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
      expect(named.filter(([, { read_only }]) => !read_only).map(([name]) => name)).toEqual(['eventstore'])
    })

    test("the service's role is no superuser, and may make the database that a check of an archive needs", () => {
      expect(
        /^create role tuckshop login (.+) password/m.exec(fileText('ops/postgres/make-role.sh'))?.[1],
      ).toBe('nosuperuser createdb nocreaterole')
    })

    test('each address names a service and the port it listens on', () => {
      const { environment: given } = services.app!
      const port = Number(/^EXPOSE (\d+)$/m.exec(dockerfile)?.[1])
      expect(given.PORT).toBe(port)
      expect(services.proxy!.environment.UPSTREAM).toBe(`app:${port}`)
      const { scrape_configs: scrapes, rule_files: rules } = yamlFile<Scraping>(
        'ops/prometheus/prometheus.yml',
      )
      expect(scrapes[0]!.static_configs[0]!.targets).toEqual(ours.map((name) => `${name}:${port}`))
      expect(rules.map((rule) => fileIsThere(`ops/prometheus/${rule}`))).toEqual([true])
      const hosts = ['DATABASE_URL', 'EVENTSTORE_URL', 'REDIS_URL'].map(
        (variable) => /[/@]([a-z]+):\d+/.exec(String(given[variable]))?.[1],
      )
      expect(hosts).toEqual(stores)
      expect(services.redis!.healthcheck?.test).toEqual(['CMD', 'redis-cli', 'ping'])
    })
  })

  describe('the image', () => {
    test('runs what is built, as nobody in particular', () => {
      expect(
        /^CMD \["node", "--max-old-space-size=256", "dist\/server\/(.+)\.js"\]$/m.exec(dockerfile)?.[1],
      ).toBe('start-main')
      expect(mains).toContain('start-main.ts')
      expect(
        dockerfile
          .trim()
          .split('\n')
          .filter((line) => line.startsWith('USER ')),
      ).toEqual(['USER node'])
      expect(dockerfile.match(/^FROM /gm)).toHaveLength(3)
      expect(fileText('package.json')).toContain('"build": "node scripts/build.mjs"')
    })

    test('is given nothing by name that is not there, and no variable that nobody reads', () => {
      const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names]) =>
        names!.split(' '),
      )
      expect(copied.filter((name) => !fileIsThere(name))).toEqual([])
      const set = [...(/^ENV (.+)$/m.exec(dockerfile)?.[1] ?? '').matchAll(/(\w+)=/g)].map(
        ([, name]) => name!,
      )
      expect(set.filter((name) => !known.includes(name))).toEqual([])
    })
  })

  describe('one small server', () => {
    const unit = fileText('ops/systemd/tuckshop.service')

    test('the unit starts what is built, with variables that are read', () => {
      const main = /^ExecStart=node --max-old-space-size=256 dist\/server\/(.+)\.js$/m.exec(unit)?.[1]
      expect(mains).toContain(`${main}.ts`)
      const fixed = Object.fromEntries(
        (/^Environment=(.+)$/m.exec(unit)?.[1] ?? '')
          .split(' ')
          .map((pair) => pair.split('=') as [string, string]),
      )
      const variables = { ...variablesIn('ops/systemd/tuckshop.env.example'), ...fixed }
      expect(Object.keys(variables).filter((name) => !known.includes(name))).toEqual([])
      const config = readConfig(variables)
      expect(config).toMatchObject({ ROLE: 'all', TRUST_PROXY: 1, production: true, HOST: '127.0.0.1' })
      expect(fileText('ops/caddy/Caddyfile')).toContain(`{$UPSTREAM:${config.HOST}:${config.PORT}}`)
      expect(fileText('ops/nginx/tuckshop.conf')).toContain(`server ${config.HOST}:${config.PORT};`)
    })

    test('nginx writes each header that the server believes', () => {
      const written = [...fileText('ops/nginx/tuckshop.conf').matchAll(/proxy_set_header (X-\S+) (\S+);/g)]
      expect(Object.fromEntries(written.map(([, name, value]) => [name, value]))).toEqual({
        'X-Forwarded-Host': '$host',
        'X-Forwarded-Proto': '$scheme',
        'X-Forwarded-For': '$remote_addr',
      })
    })

    test.each(['ops/caddy/Caddyfile', 'ops/nginx/tuckshop.conf'])('%s keeps /metrics inside', (file) => {
      expect(fileText(file)).toMatch(/(path|location =) \/metrics/)
    })
  })

  test('.env.example lists every variable that is read, and no other', () => {
    expect(Object.keys(variablesIn('.env.example')).toSorted()).toEqual(
      known.filter((name) => name !== 'NODE_ENV').toSorted(),
    )
  })

  test.each(yamlFile<Alerts>('ops/prometheus/alerts.yml').groups.flatMap(({ rules }) => rules))(
    'the alert $alert leads to the section that says what to do',
    ({ annotations }) => {
      const [page, anchor] = annotations.runbook.split('#')
      expect(anchorsOf(fileText(page!))).toContain(anchor)
    },
  )
})

describe('compose cluster', () => {
  type Node = {
    environment: Record<string, string | number>
    volumes: string[]
    healthcheck: { test: string[] }
    mem_limit: string
    restart: string
  }

  const single = yamlFile<{ services: { eventstore: Node } }>('docker-compose.yml').services.eventstore
  // Compose's word for what is not merged; it is none of YAML's.
  const { services } = yamlText<{ services: Record<string, Node> }>(
    fileText('compose.cluster.yml').replaceAll('!override', ''),
  )
  const names = ['eventstore1', 'eventstore2', 'eventstore3']
  const nodes = names.map((name) => services[name]!)

  test('every node says how large its caches are, also the single one', () => {
    for (const { environment } of [single, ...nodes])
      expect(environment).toMatchObject({
        EVENTSTORE_STREAM_INFO_CACHE_CAPACITY: 100_000,
        EVENTSTORE_CHUNKS_CACHE_SIZE: 268_435_968,
        EVENTSTORE_MAX_APPEND_SIZE: 8_388_608,
      })
  })

  test('every node knows users by a password without a default, over TLS', () => {
    const password = '${EVENTSTORE_PASSWORD:?see ops/compose.env.example}'
    for (const { environment, volumes } of [single, ...nodes]) {
      expect(environment).toMatchObject({
        EVENTSTORE_DEFAULT_ADMIN_PASSWORD: password,
        EVENTSTORE_DEFAULT_OPS_PASSWORD: password,
        EVENTSTORE_CERTIFICATE_FILE: '/certificates/node/node.crt',
      })
      expect(environment).not.toHaveProperty('EVENTSTORE_INSECURE')
      expect(volumes.some((volume) => volume.endsWith(':/certificates/node:ro'))).toBe(true)
    }
  })

  test('a node is healthy once it has a leader, not before', () => {
    for (const { healthcheck } of [single, ...nodes]) {
      expect(healthcheck.test[1]).toContain(':2113/info')
      expect(healthcheck.test[1]).toContain('leader')
    }
  })

  test.each(names)('%s knows the two others and is bounded', (name) => {
    const { environment, ...node } = services[name]!
    const others = names.filter((other) => other !== name)
    expect(environment.EVENTSTORE_GOSSIP_SEED).toBe(others.map((other) => `${other}:2113`).join(','))
    expect(environment.EVENTSTORE_NODE_HOST_ADVERTISE_AS).toBe(name)
    expect(node).toMatchObject({ mem_limit: '1g', restart: 'unless-stopped' })
  })

  test('the service is given all nodes, and the authority that signed their certificates', () => {
    for (const name of ['app', 'worker']) {
      const url = String(services[name]!.environment.EVENTSTORE_URL).replace(/\$\{.*?\}/, 'secret')
      expect(esdbAddress(url)).toMatchObject({
        shown: `esdb://${names.map((node) => `${node}:2113`).join(',')}`,
        credentials: { username: 'admin', password: 'secret' },
      })
      expect(services[name]!.volumes).toContain('./ops/eventstore/certificates/ca:/certificates/ca:ro')
    }
    expect(fileText('.gitignore').split('\n')).toContain('ops/eventstore/certificates')
    expect(fileIsThere('ops/eventstore/make-certificates.sh')).toBe(true)
  })

  test('the certificates name their node and are signed by the authority; what is there stays', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tuckshop certificates '))
    const make = () =>
      execFileSync('sh', ['ops/eventstore/make-certificates.sh', folder], {
        stdio: ['ignore', 'pipe', 'pipe'],
      })
    const read = (path: string) => new X509Certificate(readFileSync(join(folder, path)))
    make()
    const authority = read('ca/ca.crt')
    for (const name of ['eventstore', ...names]) {
      const certificate = read(`${name}/node.crt`)
      expect(certificate.verify(authority.publicKey)).toBe(true)
      expect(certificate.checkHost(name)).toBe(name)
      expect(certificate.subject).toBe('CN=eventstoredb-node')
    }
    make()
    expect(read('ca/ca.crt').fingerprint256).toBe(authority.fingerprint256)
    rmSync(folder, { recursive: true })
  })
})

const run = join(__dirname, '../../.ci/run')

type Npm = { ci?: string; test?: string; replay?: string; crossed?: string; eventstore?: string }
const well = 'true'
const counts = (line: string, exit = 0) => `echo '${line}'; exit ${exit}`

/** What `.ci/run` says and how it ends where npm does this; `asked` are the commands that npm was given. */
const runWith = ({ ci = well, test = '', replay = well, crossed = well, eventstore = '' }: Npm) => {
  const folder = mkdtempSync(join(tmpdir(), 'tuckshop ci '))
  const words = [
    '#!/usr/bin/env bash',
    'echo "asked for $*"',
    `case "$*" in ci*) ${ci} ;; test) ${test} ;; 'run replay:golden') ${replay} ;; 'run crossed -- --hold') ${crossed} ;;`,
    `'run test:eventstore') ${eventstore} ;; *) exit 9 ;; esac`,
  ]
  writeFileSync(join(folder, 'npm'), words.join('\n'))
  chmodSync(join(folder, 'npm'), 0o755)
  const PATH = `${folder}:${process.env.PATH}`
  const { stdout, status } = spawnSync('bash', [run], { env: { PATH }, encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  const lines = stdout.trim().split('\n')
  const asked = lines.filter((line) => line.startsWith('asked for ')).map((line) => line.slice(10))
  return { last: lines.at(-1), good: status === 0, asked }
}

test('the last line adds up what the parts counted, the replayed history and the requests held as one each', () => {
  const test = counts('5000 passed, 0 failed')
  const { last, good, asked } = runWith({ test, eventstore: counts('500 passed, 0 failed') })
  expect({ last, good }).toEqual({ last: '5502 passed, 0 failed', good: true })
  expect(asked).toEqual([
    expect.stringMatching(/^ci/),
    'test',
    'run replay:golden',
    'run crossed -- --hold',
    'run test:eventstore',
  ])
})

const fine = counts('7 passed, 0 failed')
test.each<[string, Npm, string]>([
  ['a failed test', { test: counts('4 passed, 2 failed', 1), eventstore: fine }, '13 passed, 2 failed'],
  [
    'a history that replays otherwise',
    { test: fine, replay: 'exit 1', eventstore: fine },
    '15 passed, 1 failed',
  ],
  [
    'a request that crosses more than it may',
    { test: fine, crossed: 'exit 1', eventstore: fine },
    '15 passed, 1 failed',
  ],
  [
    'a failed test on the other store',
    { test: fine, eventstore: counts('4 passed, 2 failed', 1) },
    '13 passed, 2 failed',
  ],
  ['a part that was killed', { test: 'kill -KILL $$', eventstore: fine }, '9 passed, 1 failed'],
  ['a second part that was killed', { test: fine, eventstore: 'kill -KILL $$' }, '9 passed, 1 failed'],
  ['a part that ran nothing and says so', { test: well, eventstore: fine }, '9 passed, 1 failed'],
  [
    'a part that ended badly after it had counted',
    { test: counts('4 passed, 0 failed', 3), eventstore: fine },
    '13 passed, 1 failed',
  ],
  ['an install that failed', { ci: 'exit 1', test: fine, eventstore: fine }, '0 passed, 1 failed'],
  [
    'parts without a test',
    {
      test: counts('0 passed, 0 failed'),
      replay: 'exit 1',
      crossed: 'exit 1',
      eventstore: counts('0 passed, 0 failed'),
    },
    '0 passed, 2 failed',
  ],
])('%s is no success, and stands in the last line', (_, npm, last) => {
  expect(runWith(npm)).toMatchObject({ last, good: false })
})

test('the count stands last, whatever npm says after it', () => {
  const test = `echo '3 passed, 1 failed'; echo 'npm error code 1'; exit 1`
  expect(runWith({ test, eventstore: fine }).last).toBe('12 passed, 1 failed')
})

const script = join(process.cwd(), 'scripts/comment-share.mjs')

const project = (lines: string[]): string => {
  const root = mkdtempSync(join(tmpdir(), 'comment-share-'))
  for (const folder of ['src', 'web']) {
    mkdirSync(join(root, folder))
    writeFileSync(join(root, folder, 'a.ts'), lines.join('\n'))
  }
  return root
}

const code = Array.from({ length: 97 }, (_, at) => `export const a${at} = ${at}`)

test('src and web hold few enough comments', () => {
  expect(execFileSync('node', [script], { encoding: 'utf8' })).toMatch(/^src: \d+\.\d %/)
})

test('three comment lines of a hundred pass, blank lines do not count', () => {
  const run = spawnSync('node', [script], {
    cwd: project(['// one', '', '/* two', ' three */', ...code]),
    encoding: 'utf8',
  })
  expect(run.stdout).toContain('src: 3.0 % of the lines are comments')
  expect(run.status).toBe(0)
})

test('more comments than that are refused', () => {
  const comments = Array.from({ length: 10 }, () => '/** Says nothing. */')
  const run = spawnSync('node', [script], { cwd: project([...comments, ...code]), encoding: 'utf8' })
  expect(run.stderr).toContain('delete comments that repeat a name or a type')
  expect(run.status).toBe(1)
})

test('a folder without code is no success', () => {
  const root = mkdtempSync(join(tmpdir(), 'comment-share-'))
  mkdirSync(join(root, 'src'))
  expect(spawnSync('node', [script], { cwd: root }).status).not.toBe(0)
})

const root = join(__dirname, '../..')
const crashes = join(root, 'tests/crash/crashes.int.test.ts')
const walk = join(root, 'tests/e2e/install.e2e.test.ts')
const database = join(root, 'tests/ordering/kitchen.int.test.ts')
const words = join(root, 'tests/kernel/money.unit.test.ts')

/** The order in which these files run where jest remembers so many ms of some of them. */
const order = (files: string[], remembered: Record<string, number> = {}) => {
  const sequencer = new LongestFirst({ contexts: [], globalConfig: {} })
  const passed = Object.entries(remembered).map(([path, ms]) => [path, [1, ms]] as const)
  sequencer._getCache = () => Object.fromEntries(passed)
  // oxlint-disable-next-line unicorn/no-array-sort -- it is no array
  const begun = sequencer.sort(files.map((path) => ({ path, context: { hasteFS: { getSize: () => 1 } } })))
  return begun.map(({ path }) => path)
}

test('where nothing ever ran the crashes begin first, then the browser', () => {
  expect(order([words, database, walk, crashes])).toEqual([crashes, walk, database, words])
})

test('what a file took the last time counts more than its kind', () => {
  const remembered = { [crashes]: 2_000, [words]: 90_000 }
  expect(order([crashes, walk, database, words], remembered)).toEqual([words, walk, database, crashes])
})
