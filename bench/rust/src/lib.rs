//! C functions over the crates blake3, blake2b_simd, sha2 and ring, for bench/c: see bench/c/peers.h.

use sha2::Digest;
use std::os::raw::c_char;
use std::slice::{from_raw_parts, from_raw_parts_mut};

/// # Safety
/// `out` holds `out_len` bytes, `data` `len`.
#[no_mangle]
pub unsafe extern "C" fn peer_blake3(out: *mut u8, out_len: usize, data: *const u8, len: usize) {
    let input = from_raw_parts(data, len);
    let output = from_raw_parts_mut(out, out_len);
    if out_len == 32 {
        output.copy_from_slice(blake3::hash(input).as_bytes());
    } else {
        let mut h = blake3::Hasher::new();
        h.update(input);
        h.finalize_xof().fill(output);
    }
}

#[repr(C)]
pub struct Slice {
    data: *const u8,
    len: usize,
}

/// A hasher, an update a part; keep: one that was there before, reset.
/// # Safety
/// `out` holds 32 bytes, `parts` `n` slices. One thread calls.
#[no_mangle]
pub unsafe extern "C" fn peer_blake3_pieces(out: *mut u8, parts: *const Slice, n: usize, keep: i32) {
    static mut KEPT: Option<blake3::Hasher> = None;
    let kept = &mut *std::ptr::addr_of_mut!(KEPT);
    let mut fresh;
    let h = if keep != 0 {
        kept.get_or_insert_with(blake3::Hasher::new).reset()
    } else {
        fresh = blake3::Hasher::new();
        &mut fresh
    };
    for p in from_raw_parts(parts, n) {
        h.update(from_raw_parts(p.data, p.len));
    }
    from_raw_parts_mut(out, 32).copy_from_slice(h.finalize().as_bytes());
}

/// From its start, of an output reader that is kept; the first call gives its input.
/// # Safety
/// `out` holds `out_len` bytes, `data` `len`. One thread calls.
#[no_mangle]
pub unsafe extern "C" fn peer_blake3_read(out: *mut u8, out_len: usize, data: *const u8, len: usize) {
    static mut KEPT: Option<blake3::OutputReader> = None;
    let kept = &mut *std::ptr::addr_of_mut!(KEPT);
    let reader = kept.get_or_insert_with(|| blake3::Hasher::new().update(from_raw_parts(data, len)).finalize_xof());
    reader.set_position(0);
    reader.fill(from_raw_parts_mut(out, out_len));
}

/// All threads that Rayon likes.
/// # Safety
/// `out` holds 32 bytes, `data` `len`.
#[no_mangle]
pub unsafe extern "C" fn peer_blake3_rayon(out: *mut u8, data: *const u8, len: usize) {
    let mut h = blake3::Hasher::new();
    h.update_rayon(from_raw_parts(data, len));
    from_raw_parts_mut(out, 32).copy_from_slice(h.finalize().as_bytes());
}

/// A file as b3sum reads it: mapped, all threads that Rayon likes. 0, or 1 when it cannot be read.
/// # Safety
/// `out` holds 32 bytes, `path` ends with a NUL.
#[no_mangle]
pub unsafe extern "C" fn peer_blake3_file(out: *mut u8, path: *const c_char) -> i32 {
    let mut h = blake3::Hasher::new();
    let Ok(path) = std::ffi::CStr::from_ptr(path).to_str() else { return 1 };
    if h.update_mmap_rayon(path).is_err() {
        return 1;
    }
    from_raw_parts_mut(out, 32).copy_from_slice(h.finalize().as_bytes());
    0
}

/// # Safety
/// `out` holds `out_len` (1 to 64) bytes, `data` `len`.
#[no_mangle]
pub unsafe extern "C" fn peer_blake2b(out: *mut u8, out_len: usize, data: *const u8, len: usize) {
    let h = blake2b_simd::Params::new().hash_length(out_len).hash(from_raw_parts(data, len));
    from_raw_parts_mut(out, out_len).copy_from_slice(h.as_bytes());
}

/// `n` messages of `len` bytes back to back, digests of `out_len` bytes back to back.
/// # Safety
/// `out` holds `n * out_len` bytes, `data` `n * len`.
#[no_mangle]
pub unsafe extern "C" fn peer_blake2b_many(out: *mut u8, out_len: usize, data: *const u8, len: usize, n: usize) {
    use blake2b_simd::many::{hash_many, HashManyJob};
    let mut params = blake2b_simd::Params::new();
    params.hash_length(out_len);
    let mut i = 0;
    while i < n {
        let take = (n - i).min(64);
        let mut jobs: Vec<HashManyJob> = (i..i + take)
            .map(|j| HashManyJob::new(&params, from_raw_parts(data.add(j * len), len)))
            .collect();
        hash_many(jobs.iter_mut());
        for (k, job) in jobs.iter().enumerate() {
            from_raw_parts_mut(out.add((i + k) * out_len), out_len).copy_from_slice(job.to_hash().as_bytes());
        }
        i += take;
    }
}

/// # Safety
/// `out` holds 32 bytes, `data` `len`.
#[no_mangle]
pub unsafe extern "C" fn peer_sha256(out: *mut u8, data: *const u8, len: usize) {
    from_raw_parts_mut(out, 32).copy_from_slice(&sha2::Sha256::digest(from_raw_parts(data, len)));
}

/// # Safety
/// `out` holds 32 bytes, `data` `len`.
#[no_mangle]
pub unsafe extern "C" fn peer_ring_sha256(out: *mut u8, data: *const u8, len: usize) {
    let d = ring::digest::digest(&ring::digest::SHA256, from_raw_parts(data, len));
    from_raw_parts_mut(out, 32).copy_from_slice(d.as_ref());
}

/// Versions of the crates, written by build.rs from Cargo.lock.
#[no_mangle]
pub extern "C" fn peer_version(which: i32) -> *const c_char {
    let text: &'static str = match which {
        0 => concat!(env!("VERSION_BLAKE3"), "\0"),
        1 => concat!(env!("VERSION_BLAKE2B_SIMD"), "\0"),
        2 => concat!(env!("VERSION_SHA2"), "\0"),
        _ => concat!(env!("VERSION_RING"), "\0"),
    };
    text.as_ptr() as *const c_char
}
