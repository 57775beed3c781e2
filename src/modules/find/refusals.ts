import { refusalTable } from '#kernel/refusal'

export const { refusal, statuses: findStatuses } = refusalTable({
  find_took_too_long: [503, 'This search took too long. Please type more of what you look for.'],
  family_not_found: [404, 'Family not found'],
})
