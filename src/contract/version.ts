/** The product's version tag, as the specification has it: `/healthz`, the OpenAPI document and every page say it. */
export const PRODUCT_VERSION = '1'
