import { lazy } from 'react'
import type { ComponentType, LazyExoticComponent } from 'react'

/** A component loaded when it is first drawn: `lazyPart(() => import('./x').then((m) => m.X))`. */
export const lazyPart = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> => lazy(async () => ({ default: await load() }))
