import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export type ObserveRequest = (method: string, route: string, status: number, seconds: number) => void

/** The registry of one process, with Node's own measurements; hand it to whoever has something to count. */
export const metricsRegistry = (): Registry => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

const name = 'http_request_duration_seconds'

/** Measures requests by method, written path and status; servers of one process share the histogram. */
export const requestMetrics = (registry: Registry): ObserveRequest => {
  const histogram =
    (registry.getSingleMetric(name) as Histogram<'method' | 'route' | 'status'> | undefined) ??
    new Histogram({
      name,
      help: 'Duration of HTTP requests in seconds',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [registry],
    })
  return (method, route, status, seconds) => histogram.labels(method, route, String(status)).observe(seconds)
}
