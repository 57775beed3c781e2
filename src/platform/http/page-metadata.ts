import type { PageMetadata } from '#contracts/endpoint'

export const pageMetadataOf = (total: number, page: number, pageSize: number): PageMetadata => {
  const totalPages = Math.max(1, Math.ceil(total / pageSize))
  return { total, page, pageSize, totalPages, hasNextPage: page < totalPages, hasPreviousPage: page > 1 }
}
