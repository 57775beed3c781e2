/** What siblings may hear: everything that happens to a checkout and its money. */
export * from './attempt/events'
