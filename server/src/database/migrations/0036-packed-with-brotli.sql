-- What 0035 announced as DEFLATE became Brotli before anything was stored: it takes half the processor time.
comment on column webhook_delivery.packed is 'Brotli (RFC 7932) of the body, where it is long; then body is empty.';
